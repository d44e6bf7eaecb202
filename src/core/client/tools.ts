import type { JsonValue } from '../../protocol/jsonrpc.ts';
import type { ToolHints } from '../resilience/idempotency.ts';

/** A tool as its server describes it. All text is the server's and hostile. */
export interface ToolInfo {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: JsonValue;
  readonly outputSchema?: JsonValue;
  /** Whether it runs as a task (2025-11-25, "Tasks"); absent: it does not. */
  readonly taskSupport?: 'optional' | 'required';
  readonly hints: ToolHints;
}

/** What `tools/list` gave. `isComplete` is false when a page failed or paging never came to an end. */
export interface ToolCatalogue {
  readonly tools: readonly ToolInfo[];
  readonly isComplete: boolean;
}
