import type { ServerId } from './events.ts';
import type { SourceRange } from './finding.ts';

/** Where a definition was found, so that each server can say where it came from. */
export interface DefinitionSource {
  readonly kind: 'vscode-mcp-json' | 'settings' | 'demo' | 'command-line';
  /** Absolute path of the file; absent for settings and the demo. */
  readonly path?: string;
  /** Of the server's key in that file. */
  readonly range?: SourceRange;
}

export interface StdioDefinition {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A file of further variables, over which `env` wins; gone once variables are resolved. */
  readonly envFile?: string;
  readonly cwd?: string;
}

export interface HttpDefinition {
  readonly type: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ServerDefinition {
  readonly id: ServerId;
  readonly name: string;
  readonly source: DefinitionSource;
  readonly transport: StdioDefinition | HttpDefinition;
  /** True when its annotations may be believed: the user's own setting, never the server's claim. */
  readonly isTrusted: boolean;
}

/** What is wrong in a definition file, and where. `code` names a sentence in `protocol/texts.ts`. */
export interface DefinitionProblem {
  readonly code: string;
  readonly args: Readonly<Record<string, string | number>>;
  readonly path: string;
  readonly range: SourceRange;
}

/** The user's word on one tool, from settings. */
export interface ToolPolicy {
  readonly isIdempotent?: boolean;
  readonly idempotencyKeyArgument?: string;
  readonly timeoutMs?: number;
}
