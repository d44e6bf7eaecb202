import { findNodeAtLocation, getNodeValue, printParseErrorCode } from 'jsonc-parser';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { stepsOf } from '../../base/jsonPointer.ts';
import { readTree } from '../../core/jsonc/readTree.ts';
import type { LintConfig } from '../../lint/config/config.ts';
import { say } from '../say.ts';
import { readText } from './readText.ts';

/** The name of the file that the lint is configured with, here and on the command line. */
const CONFIG_NAME = 'faultline.config.json';

/** Folders that are looked through above a file at most. */
const MAX_PARENTS = 64;

/** Finds the `faultline.config.json` that counts for a file: the nearest above it. What is wrong in one is told there. */
export class ConfigFiles implements Disposable {
  private readonly store = new DisposableStore();
  private readonly problems = this.store.add(vscode.languages.createDiagnosticCollection('faultline.config'));
  private readonly changed = this.store.add(new Emitter<void>());
  readonly onDidChange: Event<void> = this.changed.event;
  private readonly byFolder = new Map<string, Promise<LintConfig | undefined>>();
  /** Folders with a configuration that was read: they are read again when one changes. */
  private readonly folders = new Map<string, vscode.Uri>();

  constructor() {
    const watcher = this.store.add(vscode.workspace.createFileSystemWatcher(`**/${CONFIG_NAME}`));
    const change = () => {
      this.byFolder.clear();
      this.problems.clear();
      for (const folder of this.folders.values()) {
        void this.ofFolder(folder, 0);
      }
      this.folders.clear();
      this.changed.fire();
    };
    watcher.onDidChange(change);
    watcher.onDidCreate(change);
    watcher.onDidDelete(change);
  }

  /** Undefined when there is none. */
  of(file: vscode.Uri): Promise<LintConfig | undefined> {
    return file.scheme === 'untitled' ? Promise.resolve(undefined) : this.ofFolder(vscode.Uri.joinPath(file, '..'), 0);
  }

  dispose(): void {
    this.store.dispose();
  }

  private ofFolder(folder: vscode.Uri, depth: number): Promise<LintConfig | undefined> {
    const key = folder.toString();
    const known = this.byFolder.get(key);
    if (known !== undefined) {
      return known;
    }
    const found = this.read(folder, depth);
    this.byFolder.set(key, found);
    return found;
  }

  private async read(folder: vscode.Uri, depth: number): Promise<LintConfig | undefined> {
    const uri = vscode.Uri.joinPath(folder, CONFIG_NAME);
    const text = await readText(uri);
    if (text !== undefined) {
      return this.parse(uri, folder, text);
    }
    const parent = vscode.Uri.joinPath(folder, '..');
    return parent.path === folder.path || depth >= MAX_PARENTS ? undefined : this.ofFolder(parent, depth + 1);
  }

  private async parse(uri: vscode.Uri, folder: vscode.Uri, text: string): Promise<LintConfig> {
    this.folders.set(folder.toString(), folder);
    const { readConfig } = await import('../../lint/engine.ts');
    const { tree, errors } = readTree(text);
    const { config, problems } = readConfig(tree === undefined ? undefined : getNodeValue(tree), folder.fsPath);
    const at = (pointer: string) => {
      const path = stepsOf(pointer).map(segmentOf);
      const node = tree === undefined ? undefined : findNodeAtLocation(tree, path);
      return node === undefined ? { offset: 0, length: 1 } : node;
    };
    this.problems.set(uri, [
      ...errors.map(({ error, offset, length }) => problemOf(text, offset, length, printParseErrorCode(error))),
      ...problems.map(({ pointer, message, args }) => {
        const { offset, length } = at(pointer);
        return problemOf(text, offset, length, say(message, args));
      }),
    ]);
    return config;
  }
}

/** A step of a JSON pointer as jsonc-parser takes it: numbers for elements of arrays. */
function segmentOf(name: string): string | number {
  return /^\d+$/.test(name) ? Number(name) : name;
}

function problemOf(text: string, offset: number, length: number, message: string): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(
    new vscode.Range(positionAt(text, offset), positionAt(text, offset + length)),
    message,
    vscode.DiagnosticSeverity.Warning,
  );
  diagnostic.source = 'faultline';
  return diagnostic;
}

function positionAt(text: string, offset: number): vscode.Position {
  const before = text.slice(0, offset);
  const lines = before.split('\n');
  return new vscode.Position(lines.length - 1, lines.at(-1)?.length ?? 0);
}
