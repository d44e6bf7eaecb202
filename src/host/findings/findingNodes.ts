import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { NamedTool, RowTarget } from '../targets.ts';

/** Longest name of a tool that is shown. */
export const MAX_NAME = 200;

/** A line of the Findings view with what is under it. Commands receive it as their target. */
export interface FindingNode extends Partial<NamedTool>, Partial<RowTarget> {
  readonly item: vscode.TreeItem;
  readonly children: readonly FindingNode[];
}

/** One kind of findings: what the lint found in files, what was seen of servers. */
export interface FindingSource extends Disposable {
  readonly onDidChange: Event<void>;
  /** Groups with at least one finding each. */
  nodes(): readonly FindingNode[];
}

/** Findings of a server, of one kind. */
export interface ServerFindingSource extends Disposable {
  readonly onDidChange: Event<void>;
  /** By the server's id. */
  byServer(): ReadonlyMap<string, readonly FindingNode[]>;
}
