import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { messageOf } from '../../base/messageOf.ts';
import { safeLine } from '../../base/safeText.ts';
import { parseSuite } from '../../core/replay/suites/parseSuite.ts';
import { SUITE_ENDING, type SuiteFile } from '../../core/replay/suites/suiteFile.ts';
import type { SourceRange } from '../../protocol/finding.ts';
import { say } from '../say.ts';

const MAX_LABEL = 200;

/** A case of a suite as the Test Explorer knows it. */
export interface CaseItem {
  readonly item: vscode.TestItem;
  readonly uri: vscode.Uri;
  readonly index: number;
}

/** The items of suites and their cases, as they stand in the editor: what is not saved yet counts. */
export class SuiteItems {
  private readonly controller: vscode.TestController;
  private readonly store = new DisposableStore();
  private readonly suites = new Map<string, SuiteFile>();
  private readonly cases = new WeakMap<vscode.TestItem, CaseItem>();

  constructor(controller: vscode.TestController) {
    this.controller = controller;
    this.store.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && this.controller.items.get(document.uri.toString()) !== undefined) {
          this.take(document.uri, document.getText());
        }
      }),
    );
  }

  /** Reads a suite; one that cannot be read shows why. Never rejects. */
  async read(uri: vscode.Uri): Promise<void> {
    try {
      this.take(uri, (await vscode.workspace.openTextDocument(uri)).getText());
    } catch (error) {
      this.suites.delete(uri.toString());
      this.itemOf(uri).error = messageOf(error);
    }
  }

  forget(uri: vscode.Uri): void {
    this.suites.delete(uri.toString());
    this.controller.items.delete(uri.toString());
  }

  /** Forgets every suite that is not among these. */
  keep(found: readonly vscode.Uri[]): void {
    const ids = new Set(found.map((uri) => uri.toString()));
    this.controller.items.forEach(({ id, uri }) => {
      if (!ids.has(id) && uri !== undefined) {
        this.forget(uri);
      }
    });
  }

  /** The item of a suite or a case by its id. */
  own(id: string): vscode.TestItem | undefined {
    const [suite = ''] = id.split('#', 1);
    const found = this.controller.items.get(suite);
    return id === suite ? found : found?.children.get(id);
  }

  suiteAt(uri: vscode.Uri): SuiteFile | undefined {
    return this.suites.get(uri.toString());
  }

  /** The cases that items stand for, in the order of their files, each once. */
  casesOf(items: readonly vscode.TestItem[], excluded: readonly vscode.TestItem[] = []): readonly CaseItem[] {
    const found = new Set<CaseItem>();
    const add = (item: vscode.TestItem) => {
      const own = this.cases.get(item);
      if (excluded.includes(item)) {
        return;
      }
      if (own !== undefined) {
        found.add(own);
      }
      item.children.forEach(add);
    };
    items.forEach(add);
    return [...found].toSorted((a, b) =>
      a.uri.path === b.uri.path ? a.index - b.index : a.uri.path < b.uri.path ? -1 : 1,
    );
  }

  dispose(): void {
    this.store.dispose();
  }

  private take(uri: vscode.Uri, text: string): void {
    const suiteItem = this.itemOf(uri);
    const reading = parseSuite(text);
    if ('problems' in reading) {
      // While it is typed, the items that were there are kept, though none of them can run.
      this.suites.delete(uri.toString());
      const lines = reading.problems.map(({ code, args, range }) => `${range.startLine + 1}: ${say(code, args)}`);
      suiteItem.error = lines.slice(0, 10).join('\n');
      return;
    }
    const { suite, ranges } = reading;
    suiteItem.error = undefined;
    suiteItem.label = safeLine(suite.name ?? nameOf(uri), MAX_LABEL);
    suiteItem.description = suite.name === undefined ? '' : vscode.workspace.asRelativePath(uri);
    suiteItem.range = new vscode.Range(0, 0, 0, 0);
    this.suites.set(uri.toString(), suite);
    suiteItem.children.replace(
      suite.cases.map(({ name, method, params }, index) => {
        const id = `${uri.toString()}#${name}`;
        const item = suiteItem.children.get(id) ?? this.controller.createTestItem(id, safeLine(name, MAX_LABEL), uri);
        const target = params?.['name'] ?? params?.['uri'];
        item.description = safeLine(typeof target === 'string' ? target : method, MAX_LABEL);
        item.range = rangeOf(ranges[index]);
        item.sortText = String(index).padStart(6, '0');
        this.cases.set(item, { item, uri, index });
        return item;
      }),
    );
  }

  private itemOf(uri: vscode.Uri): vscode.TestItem {
    const id = uri.toString();
    const known = this.controller.items.get(id);
    if (known !== undefined) {
      return known;
    }
    const item = this.controller.createTestItem(id, nameOf(uri), uri);
    this.controller.items.add(item);
    return item;
  }
}

function nameOf(uri: vscode.Uri): string {
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  return name.endsWith(SUITE_ENDING) ? name.slice(0, -SUITE_ENDING.length) : name;
}

function rangeOf(range: SourceRange | undefined): vscode.Range | undefined {
  return range === undefined
    ? undefined
    : new vscode.Range(range.startLine, range.startColumn, range.endLine, range.endColumn);
}
