import { pathToFileURL } from 'node:url';

/**
 * Stands for whatever of the API is not modelled below: it can be read, called, constructed and extended, and is no
 * promise and no list. So the stub need not follow each new call of the extension.
 */
const anything: object = new Proxy(class {}, {
  get(target, key) {
    switch (key) {
      case 'then':
        return undefined;
      case 'prototype':
        return target.prototype;
      case Symbol.toPrimitive:
        return () => '';
      case Symbol.iterator:
        return [][Symbol.iterator];
      default:
        return anything;
    }
  },
  set: () => true,
  apply: () => anything,
  construct: (_, args, newTarget) => (newTarget === anything ? anything : Reflect.construct(Object, args, newTarget)),
});

/** An object with these members, and `anything` for every other. */
function withAnything(members: object): object {
  return Object.setPrototypeOf({ ...members }, anything);
}

interface UriStub {
  readonly scheme: string;
  readonly fsPath: string;
  readonly path: string;
  toString(): string;
}

function fileUri(fsPath: string): UriStub {
  return { scheme: 'file', fsPath, path: fsPath, toString: () => pathToFileURL(fsPath).href };
}

/** The defaults of the settings, by full name. */
export type SettingDefaults = Readonly<Record<string, unknown>>;

/** The `vscode` module as far as an activation needs it: settings have their defaults, no folder is open, all is trusted. */
export function vscodeStub(defaults: SettingDefaults): object {
  const configurationOf = (section?: string) => ({
    get: (key: string, otherwise?: unknown) => defaults[section === undefined ? key : `${section}.${key}`] ?? otherwise,
    has: () => true,
    inspect: (key: string) => ({ key, defaultValue: defaults[section === undefined ? key : `${section}.${key}`] }),
    update: async () => undefined,
  });
  return withAnything({
    Uri: withAnything({
      file: fileUri,
      joinPath: (base: UriStub, ...parts: readonly string[]) => fileUri([base.fsPath, ...parts].join('/')),
    }),
    workspace: withAnything({
      getConfiguration: configurationOf,
      workspaceFolders: undefined,
      workspaceFile: undefined,
      isTrusted: true,
      textDocuments: [],
      findFiles: async () => [],
    }),
    window: withAnything({ activeTextEditor: undefined, visibleTextEditors: [], terminals: [] }),
    l10n: withAnything({ t: (message: string) => message }),
  });
}

/** An `ExtensionContext` of an extension installed in `folder`, with its storage in `storage`. */
export function contextStub(folder: string, storage: string, packageJSON: unknown): object {
  const memento = { keys: () => [], get: (_: string, otherwise?: unknown) => otherwise, update: async () => undefined };
  return withAnything({
    subscriptions: [],
    extensionPath: folder,
    extensionUri: fileUri(folder),
    storageUri: fileUri(`${storage}/workspace`),
    globalStorageUri: fileUri(`${storage}/global`),
    logUri: fileUri(`${storage}/logs`),
    globalState: { ...memento, setKeysForSync: () => undefined },
    workspaceState: memento,
    secrets: {
      get: async () => undefined,
      store: async () => undefined,
      delete: async () => undefined,
      onDidChange: anything,
    },
    asAbsolutePath: (relative: string) => `${folder}/${relative}`,
    extension: withAnything({ packageJSON, extensionPath: folder }),
    extensionMode: 1,
  });
}
