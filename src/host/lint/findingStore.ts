import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { ToolDefinition } from '../../lint/toolDefinitions.ts';
import type { Finding } from '../../protocol/finding.ts';
import { diagnosticsOf } from './diagnostics.ts';
import type { WireEvidence } from './wireEvidence.ts';

/** What the lint said of one version of one file. */
export interface LintedFile {
  readonly uri: vscode.Uri;
  /** Of the document; `undefined` when the file was read from disk. */
  readonly version: number | undefined;
  readonly findings: readonly Finding[];
  readonly tools: readonly ToolDefinition[];
  /** Only its tools are known: it was read to find them. */
  readonly isIndexOnly: boolean;
  /** It holds a server, but was not linted: too much for one. A person is told, since no findings look like none. */
  readonly isTooLarge?: boolean;
}

/** All findings, and their diagnostics. */
export class FindingStore implements Disposable {
  private readonly store = new DisposableStore();
  private readonly diagnostics = this.store.add(vscode.languages.createDiagnosticCollection('faultline'));
  private readonly changed = this.store.add(new Emitter<void>());
  readonly onDidChange: Event<void> = this.changed.event;
  private readonly files = new Map<string, LintedFile>();
  private readonly evidence: WireEvidence;

  constructor(evidence: WireEvidence) {
    this.evidence = evidence;
    this.store.add(evidence.onDidChange(() => this.refresh()));
  }

  set(file: LintedFile): void {
    this.files.set(file.uri.toString(), file);
    this.publish(file);
    this.changed.fire();
  }

  delete(uri: vscode.Uri): void {
    if (this.files.delete(uri.toString())) {
      this.diagnostics.delete(uri);
      this.changed.fire();
    }
  }

  get(uri: vscode.Uri): LintedFile | undefined {
    return this.files.get(uri.toString());
  }

  /** In the order in which they were first linted. */
  all(): readonly LintedFile[] {
    return [...this.files.values()];
  }

  /** Findings of a document as it is now; none while a newer version is still being linted. */
  findings(document: vscode.TextDocument): readonly Finding[] {
    const file = this.get(document.uri);
    return file?.version === document.version ? file.findings : [];
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Tells anew what depends on evidence; the rest stands. */
  private refresh(): void {
    for (const file of this.files.values()) {
      this.publish(file);
    }
    this.changed.fire();
  }

  private publish(file: LintedFile): void {
    this.diagnostics.set(file.uri, file.isIndexOnly ? [] : diagnosticsOf(file, this.evidence));
  }
}
