import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { LanguageId, LintEngine } from '../../lint/engine.ts';
import { mayHoldHandlers } from '../../lint/sdkScan.ts';
import type { Finding, Severity } from '../../protocol/finding.ts';
import { readSetting } from '../manifest.ts';
import { rangeOf } from '../ranges.ts';
import { say } from '../say.ts';

/** Quiet time after a keystroke before a document is linted again. */
const DEBOUNCE_MS = 150;

const languages: ReadonlySet<string> = new Set<LanguageId>([
  'python',
  'typescript',
  'typescriptreact',
  'javascript',
  'javascriptreact',
]);

/** Documents outside a file system of ours: notebook cells, diffs and output are left alone. */
const schemes: ReadonlySet<string> = new Set(['file', 'untitled', 'vscode-remote', 'vscode-vfs']);

export const lintSelector: vscode.DocumentSelector = [...languages].flatMap((language) =>
  [...schemes].map((scheme) => ({ language, scheme })),
);

const severities: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

/** Findings of one version of one document. */
interface Linted {
  readonly version: number;
  readonly findings: readonly Finding[];
}

/** Lints open documents as they are typed and keeps their diagnostics; code actions ask it for the findings. */
export class LintService implements Disposable {
  private readonly store = new DisposableStore();
  private readonly diagnostics = this.store.add(vscode.languages.createDiagnosticCollection('faultline'));
  private readonly extensionUri: vscode.Uri;
  /** Loaded with the first document that may hold a server. */
  private engine: Promise<LintEngine> | undefined;
  private readonly clock: Clock;
  private readonly linted = new Map<string, Linted>();
  private readonly running = new Map<string, AbortController>();

  constructor(extensionUri: vscode.Uri, clock: Clock) {
    this.clock = clock;
    this.extensionUri = extensionUri;
    this.store.add(vscode.workspace.onDidOpenTextDocument((document) => this.schedule(document, 0)));
    this.store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.schedule(document, DEBOUNCE_MS)));
    this.store.add(vscode.workspace.onDidCloseTextDocument((document) => this.forget(document)));
    this.store.add(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('faultline.lint')) {
          this.lintOpenDocuments();
        }
      }),
    );
    this.lintOpenDocuments();
  }

  /** Findings of the document as it is now; none while a newer version is still being linted. */
  findings(document: vscode.TextDocument): readonly Finding[] {
    const linted = this.linted.get(document.uri.toString());
    return linted?.version === document.version ? linted.findings : [];
  }

  dispose(): void {
    for (const controller of this.running.values()) {
      controller.abort();
    }
    this.store.dispose();
  }

  private lintOpenDocuments(): void {
    for (const document of vscode.workspace.textDocuments) {
      this.schedule(document, 0);
    }
  }

  private schedule(document: vscode.TextDocument, delayMs: number): void {
    if (!languages.has(document.languageId) || !schemes.has(document.uri.scheme)) {
      return;
    }
    const key = document.uri.toString();
    this.running.get(key)?.abort();
    const controller = new AbortController();
    this.running.set(key, controller);
    void this.lintLater(document, delayMs, controller);
  }

  private async lintLater(document: vscode.TextDocument, delayMs: number, controller: AbortController): Promise<void> {
    if (delayMs > 0 && (await this.clock.sleep(delayMs, controller.signal)) === 'cancelled') {
      return;
    }
    const findings = await this.lint(document, controller.signal);
    const key = document.uri.toString();
    if (this.running.get(key) === controller) {
      this.running.delete(key);
    }
    if (findings === undefined || controller.signal.aborted || document.isClosed) {
      return;
    }
    this.linted.set(key, findings);
    this.diagnostics.set(
      document.uri,
      findings.findings.map((finding) => diagnosticOf(finding)),
    );
  }

  private async lint(document: vscode.TextDocument, signal: AbortSignal): Promise<Linted | undefined> {
    const { version } = document;
    const text = document.getText();
    if (!readSetting('lint.enabled', document.uri) || !mayHoldHandlers(text, document.languageId === 'python')) {
      return { version, findings: [] };
    }
    this.engine ??= this.loadEngine();
    const engine = await this.engine;
    const result = await engine.lint(
      { path: document.uri.fsPath, text, languageId: document.languageId as LanguageId },
      {
        confidence: readSetting('lint.confidence', document.uri),
        signal,
        readFile: (path) => readBeside(document.uri, path),
      },
    );
    if (result.kind === 'linted') {
      return { version, findings: result.findings };
    }
    return result.reason === 'cancelled' ? undefined : { version, findings: [] };
  }

  private async loadEngine(): Promise<LintEngine> {
    const { LintEngine } = await import('../../lint/engine.ts');
    const dist = vscode.Uri.joinPath(this.extensionUri, 'dist');
    return this.store.add(
      new LintEngine({
        load: (file) => Promise.resolve(vscode.workspace.fs.readFile(vscode.Uri.joinPath(dist, file))),
      }),
    );
  }

  private forget(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    this.running.get(key)?.abort();
    this.running.delete(key);
    this.linted.delete(key);
    this.diagnostics.delete(document.uri);
  }
}

/** A file that a document imports: the editor's unsaved text first, then the file system's. */
async function readBeside(origin: vscode.Uri, path: string): Promise<string | undefined> {
  const uri = origin.with({ path: vscode.Uri.file(path).path });
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined) {
    return open.getText();
  }
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    // The import leads nowhere that can be read: the engine treats the helper as unresolved.
    return undefined;
  }
}

function diagnosticOf(finding: Finding): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(
    rangeOf(finding.range),
    say(finding.message, finding.args),
    severities[finding.severity],
  );
  diagnostic.source = 'faultline';
  diagnostic.code = {
    value: finding.rule,
    target: vscode.Uri.parse(`https://github.com/faultline/faultline/blob/main/docs/rules/${finding.rule}.md`),
  };
  return diagnostic;
}
