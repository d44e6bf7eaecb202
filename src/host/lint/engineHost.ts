import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { LanguageId, LintEngine, LintResult } from '../../lint/engine.ts';
import { readSetting } from '../manifest.ts';
import { showUserError, userErrors } from '../userError.ts';
import type { ConfigFiles } from './configFiles.ts';
import { readText } from './readText.ts';

/** A text to lint: of a document or of a file. */
export interface LintInput {
  readonly uri: vscode.Uri;
  readonly text: string;
  readonly languageId: LanguageId;
  /** It is open in an editor, and is linted again as it is typed. */
  readonly isEdited: boolean;
}

/** The engine with what it needs of VS Code: grammars, settings, configuration, and the files that are imported. */
export class EngineHost implements Disposable {
  private readonly store = new DisposableStore();
  private readonly extensionUri: vscode.Uri;
  private readonly configs: ConfigFiles;
  private engine: Promise<LintEngine> | undefined;
  private hasTold = false;

  constructor(extensionUri: vscode.Uri, configs: ConfigFiles) {
    this.extensionUri = extensionUri;
    this.configs = configs;
  }

  /** What the lint says of a text; `undefined` when a grammar cannot be read, which a person is told once. */
  async lint({ uri, text, languageId, isEdited }: LintInput, signal: AbortSignal): Promise<LintResult | undefined> {
    try {
      this.engine ??= this.load();
      const engine = await this.engine;
      const config = await this.configs.of(uri);
      return await engine.lint(
        { path: uri.fsPath, text, languageId },
        {
          confidence: readSetting('lint.confidence', uri),
          signal,
          isEdited,
          ...(config === undefined ? {} : { config }),
          readFile: (path) => readBeside(uri, path),
        },
      );
    } catch (error) {
      this.engine = undefined;
      if (!this.hasTold && !this.store.isDisposed) {
        this.hasTold = true;
        void showUserError(userErrors.lintBroken(error));
      }
      return undefined;
    }
  }

  /** Drops what is kept of a document that was closed. */
  async forget(uri: vscode.Uri): Promise<void> {
    const engine = await this.engine?.catch(() => undefined);
    await engine?.forget(uri.fsPath).catch(() => undefined);
  }

  dispose(): void {
    this.store.dispose();
  }

  private async load(): Promise<LintEngine> {
    const { LintEngine } = await import('../../lint/engine.ts');
    const dist = vscode.Uri.joinPath(this.extensionUri, 'dist');
    return this.store.add(
      new LintEngine({
        load: (file) => Promise.resolve(vscode.workspace.fs.readFile(vscode.Uri.joinPath(dist, file))),
      }),
    );
  }
}

function readBeside(origin: vscode.Uri, path: string): Promise<string | undefined> {
  return readText(origin.with({ path: vscode.Uri.file(path).path }));
}
