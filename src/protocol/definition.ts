import type { ServerId } from './events.ts';
import type { SourceRange } from './finding.ts';
import type { JsonValue } from './jsonrpc.ts';
import type { Revision } from './revisions.ts';

/** The configuration files of other clients; `-project` and `-workspace` are those that come with a folder. */
export type DiscoveredKind =
  | 'vscode-user'
  | 'claude-project'
  | 'claude-code'
  | 'claude-desktop'
  | 'cursor-workspace'
  | 'cursor'
  | 'windsurf'
  | 'cline'
  | 'zed';

/** Where a definition was found, so that each server can say where it came from. */
export interface DefinitionSource {
  readonly kind:
    | 'vscode-mcp-json'
    | 'settings'
    /** `faultline.servers` in the settings of the workspace, which are not the user's own word. */
    | 'workspace-settings'
    | 'demo'
    | 'command-line'
    | DiscoveredKind;
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
  /** The HTTP+SSE transport of 2024-11-05 from the start (`type: sse`); else it is found out. */
  readonly isLegacySse?: boolean;
}

export interface ServerDefinition {
  readonly id: ServerId;
  readonly name: string;
  readonly source: DefinitionSource;
  readonly transport: StdioDefinition | HttpDefinition;
  /** True when its annotations may be believed: the user's own setting, never the server's claim. */
  readonly isTrusted: boolean;
  /** The only protocol revisions to speak, where the user wants that; else they are found out. */
  readonly versions?: readonly Revision[];
  /** Those of its file that it names. */
  readonly inputs?: readonly DefinitionInput[];
}

/** A value that VS Code asks for when a server is started (`inputs` of `mcp.json`); `${input:id}` stands for it. */
export type DefinitionInput =
  | {
      readonly type: 'promptString';
      readonly id: string;
      readonly description: string;
      readonly default?: string;
      /** Kept in the secret storage, never in the clear. */
      readonly password: boolean;
    }
  | {
      readonly type: 'pickString';
      readonly id: string;
      readonly description: string;
      readonly default?: string;
      readonly options: readonly { readonly label: string; readonly value: string }[];
    }
  | { readonly type: 'command'; readonly id: string; readonly command: string; readonly args?: JsonValue };

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
