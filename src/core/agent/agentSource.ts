import type { TextArgs } from '../../base/text.ts';
import type { LogEvent } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import type { Severity } from '../../protocol/finding.ts';
import type { Timeline } from '../timeline/timeline.ts';

/** A finding of the lint with its place; lines counted from 1. */
export interface AgentFinding {
  /** Relative to the workspace, with slashes. */
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  readonly tools: readonly string[];
  /** How often its tools were seen returning a failure as a success. */
  readonly seen: number;
}

export type AgentFindings =
  | { readonly findings: readonly AgentFinding[]; readonly files: number }
  | { readonly problem: string };

/** What an agent's questions are answered from: what the editor holds, or what a file does. Nothing of it can be changed here. */
export interface AgentSource {
  /** Wall time, µs. */
  nowUs(): number;
  /** The rows, with all that was recorded until now. */
  timeline(): Promise<Timeline>;
  /** The whole snapshot of a row, or `undefined` when it is gone. */
  exchange(key: number): Promise<Exchange | undefined>;
  /** Events of one connection from one `seq` to another, both included, with secrets replaced. */
  events(range: {
    readonly from: number;
    readonly to: number;
    readonly connection: string;
  }): Promise<readonly LogEvent[]>;
  /** `seq`s of the newest events that hold a text, which is in lower case. */
  search(text: string): Promise<Iterable<number>>;
  /** The name that a person gave a server. */
  nameOf(server: string): string;
  /** English: the answers are for models. */
  say(code: string, args?: TextArgs): string;
  /** Markdown, or a sentence on what is wrong. */
  report(filter: string | undefined): Promise<{ readonly markdown: string } | { readonly problem: string }>;
  findings(path: string | undefined): Promise<AgentFindings>;
}

/** What an agent is told. `isError`: it asked for something that it could have asked for rightly. */
export interface AgentAnswer {
  readonly text: string;
  readonly isError: boolean;
}

export function told(text: string): AgentAnswer {
  return { text, isError: false };
}

export function refused(text: string): AgentAnswer {
  return { text, isError: true };
}
