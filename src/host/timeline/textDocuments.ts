import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { nextFailureLine, type TextLine } from './textLines.ts';
import type { Shown } from './timelineSurfaces.ts';

const SCHEME = 'faultline-timeline';

/** The timeline as read-only documents: for screen readers, and to be pasted elsewhere. Each is as of when it was asked for. */
export class TextDocuments implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<vscode.Uri>());
  private readonly sources = new Map<string, Shown>();
  private readonly lines = new Map<string, readonly TextLine[]>();

  constructor() {
    this.store.add(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
        onDidChange: this.changed.event,
        provideTextDocumentContent: (uri, token) => this.textOf(uri, token),
      }),
    );
    this.store.add(
      vscode.languages.registerDocumentLinkProvider(
        { scheme: SCHEME },
        { provideDocumentLinks: ({ uri }) => this.linksOf(uri) },
      ),
    );
    this.store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.sources.delete(uri.toString());
        this.lines.delete(uri.toString());
      }),
    );
  }

  /** Shows the rows that pass the filter now. One that is open already is brought up to date. */
  async open(source: Shown): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: '/Timeline.txt', query: source.file });
    this.sources.set(uri.toString(), source);
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
  }

  /** Brings the text that has the focus up to date. */
  refresh(): void {
    const uri = vscode.window.activeTextEditor?.document.uri;
    if (uri?.scheme === SCHEME) {
      this.changed.fire(uri);
    }
  }

  /** Goes to the next or previous failure in the text that has the focus; false when another editor has it. */
  goToFailure(direction: 1 | -1): boolean {
    const editor = vscode.window.activeTextEditor;
    const lines = editor === undefined ? undefined : this.lines.get(editor.document.uri.toString());
    if (editor === undefined || lines === undefined) {
      return false;
    }
    const found = nextFailureLine(lines, editor.selection.active.line, direction);
    if (found !== undefined) {
      const range = new vscode.Range(found.line, 0, found.line, 0);
      editor.selection = new vscode.Selection(range.start, range.end);
      editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
    return true;
  }

  dispose(): void {
    this.store.dispose();
  }

  private async textOf(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string | undefined> {
    const source = this.sources.get(uri.toString());
    if (source === undefined) {
      // A tab of an earlier session.
      return vscode.l10n.t('Run “Open Timeline as Text” again to see the timeline here.');
    }
    const { textOf } = await import('./textDocumentContent.ts');
    const made = await textOf(source.recording, source.nameOf, token);
    if (made !== undefined) {
      this.lines.set(uri.toString(), made.lines);
    }
    return made?.text;
  }

  /** The time of each row leads to the row; rows of a session file have no place to go to. */
  private linksOf(uri: vscode.Uri): vscode.DocumentLink[] {
    const lines = uri.query === '' ? (this.lines.get(uri.toString()) ?? []) : [];
    return lines.map(({ line, key, timeLength }) => {
      const target = vscode.Uri.parse(`command:faultline.openTimeline?${encodeURIComponent(JSON.stringify([key]))}`);
      const link = new vscode.DocumentLink(new vscode.Range(line, 0, line, timeLength), target);
      link.tooltip = vscode.l10n.t('Open in timeline');
      return link;
    });
  }
}
