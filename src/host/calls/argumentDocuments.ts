import { getNodeValue, printParseErrorCode } from 'jsonc-parser';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { readTree } from '../../core/jsonc/readTree.ts';
import { isObject, jsonText } from '../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';
import { showUserError, userErrors } from '../userError.ts';
import { localSchema } from './schemaForm.ts';

const { t } = vscode.l10n;

const SCHEME = 'faultline-args';
const SCHEMA_SCHEME = 'faultline-schema';
const SEND = 'faultline.arguments.send';
const CANCEL = 'faultline.arguments.cancel';

interface Editing {
  text: Uint8Array;
  mtime: number;
  /** Sent or cancelled: that its tab goes says no more. */
  isEnding: boolean;
  readonly schema: string;
  readonly finish: (values: JsonObject | undefined) => void;
}

/**
 * Arguments as JSON documents, for schemas that are too much for questions. Each document names its schema, by which VS Code
 * completes and checks what is written; "Send" and "Cancel" stand above it, and closing it cancels. Files in memory, so that
 * nothing asks where to save them.
 */
export class ArgumentDocuments implements Disposable {
  private readonly store = new DisposableStore();
  private readonly editing = new Map<string, Editing>();
  private readonly changed = this.store.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  private count = 0;

  constructor() {
    const { store } = this;
    store.add(vscode.workspace.registerFileSystemProvider(SCHEME, this.files(), { isCaseSensitive: true }));
    store.add(
      vscode.workspace.registerTextDocumentContentProvider(SCHEMA_SCHEME, {
        provideTextDocumentContent: (uri) => this.editing.get(uri.path)?.schema ?? '{}',
      }),
    );
    store.add(vscode.languages.registerCodeLensProvider({ scheme: SCHEME }, { provideCodeLenses: lensesOf }));
    store.add(vscode.commands.registerCommand(SEND, (uri: vscode.Uri) => this.send(uri)));
    store.add(vscode.commands.registerCommand(CANCEL, (uri: vscode.Uri) => this.finish(uri, undefined)));
    store.add(
      // Not before: VS Code may write once more what it is about to close.
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === SCHEME) {
          this.editing.delete(uri.path);
        }
      }),
    );
    store.add(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const { input } of closed) {
          if (input instanceof vscode.TabInputText && input.uri.scheme === SCHEME) {
            const closedOne = this.editing.get(input.uri.path);
            if (closedOne?.isEnding === false) {
              closedOne.finish(undefined);
            }
          }
        }
      }),
    );
  }

  /** Opens a document with these values and resolves with what is sent, or `undefined` when it is cancelled. */
  async edit(name: string, schema: JsonValue | undefined, values: JsonObject): Promise<JsonObject | undefined> {
    this.count += 1;
    const path = `/${this.count}/${name.replace(/[^\w.-]/g, '_')}.json`;
    const uri = vscode.Uri.from({ scheme: SCHEME, path });
    const $schema = vscode.Uri.from({ scheme: SCHEMA_SCHEME, path }).toString();
    const text = `${jsonText({ $schema, ...values }, 2)}\n`;
    const ended = new Promise<JsonObject | undefined>((finish) => {
      this.editing.set(path, {
        text: new TextEncoder().encode(text),
        mtime: 0,
        isEnding: false,
        schema: jsonText(withSchemaMember(schema)),
        finish,
      });
    });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
    return ended;
  }

  dispose(): void {
    for (const { finish } of this.editing.values()) {
      finish(undefined);
    }
    this.store.dispose();
  }

  private async send(uri: vscode.Uri): Promise<void> {
    const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
    const read = readArguments(document?.getText() ?? '');
    if ('problem' in read) {
      await showUserError(userErrors.badArguments(read.problem));
      return;
    }
    await this.finish(uri, read.values);
  }

  private async finish(uri: vscode.Uri, values: JsonObject | undefined): Promise<void> {
    const editing = this.editing.get(uri.path);
    if (editing === undefined) {
      return;
    }
    editing.isEnding = true;
    const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
    // Saved in memory, so that closing asks nothing.
    await document?.save();
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const mine = tabs.filter(
      ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
    );
    await vscode.window.tabGroups.close(mine);
    editing.finish(values);
  }

  private files(): vscode.FileSystemProvider {
    const find = (uri: vscode.Uri): Editing => {
      const found = this.editing.get(uri.path);
      if (found === undefined) {
        throw vscode.FileSystemError.FileNotFound(uri);
      }
      return found;
    };
    const refuse = (uri: vscode.Uri) => {
      throw vscode.FileSystemError.NoPermissions(uri);
    };
    return {
      onDidChangeFile: this.changed.event,
      watch: () => new vscode.Disposable(() => undefined),
      stat: (uri) => {
        if (!uri.path.endsWith('.json')) {
          // A save looks at the folder first.
          return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
        }
        const { text, mtime } = find(uri);
        return { type: vscode.FileType.File, ctime: 0, mtime, size: text.byteLength };
      },
      readFile: (uri) => find(uri).text,
      writeFile: (uri, text) => {
        const file = find(uri);
        file.text = text;
        file.mtime += 1;
      },
      readDirectory: () => [],
      createDirectory: refuse,
      delete: refuse,
      rename: refuse,
    };
  }
}

/** The arguments in a document, comments allowed; or what keeps it from being any, in a sentence. */
export function readArguments(text: string): { readonly values: JsonObject } | { readonly problem: string } {
  const { tree, errors } = readTree(text);
  const [error] = errors;
  if (error !== undefined) {
    return { problem: printParseErrorCode(error.error) };
  }
  const value = tree === undefined ? undefined : (getNodeValue(tree) as JsonValue);
  if (!isObject(value)) {
    return { problem: t('a JSON object is needed') };
  }
  const { $schema, ...values } = value;
  return { values: typeof $schema === 'string' && $schema.startsWith(`${SCHEMA_SCHEME}:`) ? values : value };
}

/** The document names its schema by a member that the schema itself may forbid. */
function withSchemaMember(schema: JsonValue | undefined): JsonValue {
  const local = localSchema(schema);
  if (!isObject(local)) {
    return {};
  }
  const { properties } = local;
  return { ...local, properties: { ...(isObject(properties) ? properties : {}), $schema: { type: 'string' } } };
}

function lensesOf({ uri }: vscode.TextDocument): vscode.CodeLens[] {
  const top = new vscode.Range(0, 0, 0, 0);
  return [
    new vscode.CodeLens(top, { title: `$(play) ${t('Send')}`, command: SEND, arguments: [uri] }),
    new vscode.CodeLens(top, { title: `$(close) ${t('Cancel')}`, command: CANCEL, arguments: [uri] }),
  ];
}
