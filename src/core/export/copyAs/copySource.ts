import type { HttpDefinition, StdioDefinition } from '../../../protocol/definition.ts';
import type { JsonObject, JsonRpcErrorObject, JsonValue } from '../../../protocol/jsonrpc.ts';
import type { OutcomeKind } from '../../../protocol/outcome.ts';

export const COPY_FORMATS = ['json', 'raw', 'curl', 'call', 'vitest', 'pytest'] as const;

export type CopyFormat = (typeof COPY_FORMATS)[number];

/** All that is known of an exchange that is copied. Secrets have been replaced in it, as in everything recorded. */
export interface CopySource {
  readonly server: {
    readonly name: string;
    /** As it is defined, variables such as `${input:key}` not filled in; absent when it is no longer defined. */
    readonly transport?: StdioDefinition | HttpDefinition;
    /** It stands in the `.vscode/mcp.json` that the command line reads. */
    readonly isInMcpJson: boolean;
  };
  readonly initiator: 'client' | 'server';
  readonly method: string;
  readonly params?: JsonObject;
  /** Exactly as on the wire, but for secrets. */
  readonly requestRaw?: string;
  readonly responseRaw?: string;
  /** The HTTP request that carried it. */
  readonly http?: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  readonly outcome: OutcomeKind | undefined;
  readonly result?: JsonValue;
  readonly error?: JsonRpcErrorObject;
  /** Of a timeout: the limit that was reached. */
  readonly timeoutMs?: number;
  /** True for a value that differs from one answer to the next by itself, so that no test may ask for it. */
  readonly isVolatile: (name: string | undefined, value: JsonValue) => boolean;
}

/**
 * A text for the clipboard, with the environment variables that stand in it for secrets; or the code of the sentence (in
 * `protocol/texts.ts`) that says why there is none.
 */
export type Copied = { readonly text: string; readonly env: readonly string[] } | { readonly refusal: string };
