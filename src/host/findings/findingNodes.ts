import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';

/** A line of the Findings view with what is under it. */
export interface FindingNode {
  readonly item: vscode.TreeItem;
  readonly children: readonly FindingNode[];
}

/** One kind of findings: what the lint found, what was seen on the wire, what callers do. */
export interface FindingSource extends Disposable {
  readonly onDidChange: Event<void>;
  /** Groups with at least one finding each. */
  nodes(): readonly FindingNode[];
}
