import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ServerService } from '../../../../src/host/servers/serverService.ts';
import type { ServerDefinition } from '../../../../src/protocol/definition.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { vscodeStub } from '../../support/vscodeStub.ts';

/** As much of a URI as is used here. */
class FakeUri {
  readonly scheme: string;
  readonly path: string;

  constructor(scheme: string, path: string) {
    this.scheme = scheme;
    this.path = path;
  }

  get fsPath(): string {
    return this.path;
  }

  toString(): string {
    return `${this.scheme}:${this.path}`;
  }
}

interface Folder {
  readonly name: string;
  readonly uri: FakeUri;
}

/** The window that the code under test believes to be in. */
const scene = { folders: [] as Folder[], files: new Map<string, string>(), problems: new Map<string, number>() };

const nothing = { dispose: () => undefined };
const onNothing = () => nothing;

vi.mock('vscode', () => ({
  ...vscodeStub(),
  Uri: {
    file: (name: string) => new FakeUri('file', name),
    joinPath: ({ scheme, path: from }: FakeUri, ...names: string[]) =>
      new FakeUri(scheme, path.posix.join(from, ...names)),
  },
  Range: class {},
  RelativePattern: class {},
  Diagnostic: class {},
  DiagnosticSeverity: { Error: 0 },
  languages: {
    createDiagnosticCollection: () => ({
      ...nothing,
      clear: () => scene.problems.clear(),
      set: (uri: FakeUri, diagnostics: readonly unknown[]) => scene.problems.set(uri.toString(), diagnostics.length),
    }),
  },
  workspace: {
    get workspaceFolders() {
      return scene.folders;
    },
    getWorkspaceFolder: (uri: FakeUri) =>
      scene.folders.find((folder) => uri.toString().startsWith(`${folder.uri.toString()}/`)),
    textDocuments: [],
    getConfiguration: () => ({
      get: (name: string) => (name === 'discovery' ? { vscode: true } : []),
      inspect: (name: string) => ({ defaultValue: name === 'discovery' ? {} : [] }),
    }),
    createFileSystemWatcher: () => ({
      ...nothing,
      onDidChange: onNothing,
      onDidCreate: onNothing,
      onDidDelete: onNothing,
    }),
    onDidChangeWorkspaceFolders: onNothing,
    onDidChangeTextDocument: onNothing,
    onDidChangeConfiguration: onNothing,
    fs: {
      readFile: (uri: FakeUri) => {
        const text = scene.files.get(uri.toString());
        return text === undefined ? Promise.reject(new Error('no such file')) : Promise.resolve(Buffer.from(text));
      },
    },
  },
}));
const { watchDefinitions } = await import('../../../../src/host/servers/definitionSources.ts');
const { ConfigFiles } = await import('../../../../src/host/lint/configFiles.ts');
const { prepareDefinition, previewDefinition, problemsBeforeStart } = await import(
  '../../../../src/host/servers/prepare.ts'
);

const variable = (name: string) => `\${${name}}`;
const mcpJson = (servers: Readonly<Record<string, readonly string[]>>) =>
  JSON.stringify({
    servers: Object.fromEntries(Object.entries(servers).map(([name, args]) => [name, { command: 'x', args }])),
  });

/** What is found in the folders that are open. */
async function found(): Promise<readonly ServerDefinition[]> {
  let definitions: readonly ServerDefinition[] = [];
  const service = {
    setDefinitions: (_source: string, all: readonly ServerDefinition[]) => {
      definitions = all;
    },
  } as unknown as ServerService;
  const { watching, loaded } = watchDefinitions(service, new FakeClock());
  await loaded;
  watching.dispose();
  // Those of whoever runs this test are none of ours.
  return definitions.filter(({ source }) => source.kind === 'vscode-mcp-json');
}

const argsOf = ({ transport }: ServerDefinition) => (transport.type === 'stdio' ? transport.args : []);

beforeEach(() => {
  scene.folders = [];
  scene.files.clear();
});

describe('a workspace of several folders', () => {
  beforeEach(() => {
    scene.folders = [
      { name: 'shop', uri: new FakeUri('file', '/w/shop') },
      { name: 'library', uri: new FakeUri('file', '/elsewhere/lib') },
    ];
    scene.files.set('file:/w/shop/.vscode/mcp.json', mcpJson({ shop: [variable('workspaceFolder')] }));
    scene.files.set(
      'file:/elsewhere/lib/.vscode/mcp.json',
      mcpJson({
        lib: [variable('workspaceFolder'), variable('workspaceFolder:shop'), variable('workspaceFolder:none')],
      }),
    );
  });

  it('has the servers of every folder, each with the variables of its own', async () => {
    const definitions = await found();
    expect(definitions.map(({ name, source }) => [name, source.path])).toEqual([
      ['shop', '/w/shop/.vscode/mcp.json'],
      ['lib', '/elsewhere/lib/.vscode/mcp.json'],
    ]);
    expect(definitions.map(previewDefinition).map(argsOf)).toEqual([
      ['/w/shop'],
      ['/elsewhere/lib', '/w/shop', variable('workspaceFolder:none')],
    ]);
  });

  it('tells a folder that is not there where it is named', async () => {
    const definitions = await found();
    expect(definitions.map(problemsBeforeStart).map((problems) => problems.map(({ args }) => args))).toEqual([
      [],
      [{ variable: variable('workspaceFolder:none'), name: 'none' }],
    ]);
    expect([...scene.problems]).toEqual([['file:/elsewhere/lib/.vscode/mcp.json', 1]]);
  });

  it('tells a name that two folders use', async () => {
    scene.files.set('file:/elsewhere/lib/.vscode/mcp.json', mcpJson({ shop: [] }));
    expect((await found()).map(({ source }) => source.path)).toEqual(['/w/shop/.vscode/mcp.json']);
    expect([...scene.problems.keys()]).toEqual(['file:/elsewhere/lib/.vscode/mcp.json']);
  });
});

describe('the configuration of the lint', () => {
  it('is that of the folder that a file lies in, on disk or not', async () => {
    const config = (severity: string) => JSON.stringify({ rules: { FL001: severity } });
    scene.files.set('file:/w/shop/faultline.config.json', config('error'));
    scene.files.set('file:/w/shop/tools/faultline.config.json', config('off'));
    scene.files.set('vscode-vfs:/github/a/b/faultline.config.json', config('hint'));
    const configs = new ConfigFiles();
    const of = async (scheme: string, file: string) =>
      (await configs.of(new FakeUri(scheme, file) as unknown as Parameters<typeof configs.of>[0]))?.rules.get('FL001');
    expect([
      await of('file', '/w/shop/src/server.py'),
      await of('file', '/w/shop/tools/server.py'),
      await of('file', '/elsewhere/lib/server.py'),
      await of('vscode-vfs', '/github/a/b/src/server.py'),
      await of('untitled', 'Untitled-1'),
    ]).toEqual(['error', 'off', undefined, 'hint', undefined]);
    configs.dispose();
  });
});

describe('a virtual workspace', () => {
  beforeEach(() => {
    scene.folders = [{ name: 'repository', uri: new FakeUri('vscode-vfs', '/github/a/b') }];
    const servers = mcpJson({ plain: ['--port'], rooted: [variable('workspaceFolder')] });
    scene.files.set('vscode-vfs:/github/a/b/.vscode/mcp.json', servers);
  });

  it('has its servers listed; one that needs a folder on disk says so where it is defined, and is not started', async () => {
    const definitions = await found();
    expect(definitions.map(({ name }) => name)).toEqual(['plain', 'rooted']);
    expect([...scene.problems]).toEqual([['vscode-vfs:/github/a/b/.vscode/mcp.json', 1]]);
    const values = {} as unknown as Parameters<typeof prepareDefinition>[1];
    const prepared = await Promise.all(definitions.map((definition) => prepareDefinition(definition, values)));
    expect(prepared.map((each) => ('problems' in each ? each.problems.map(({ code }) => code) : 'ready'))).toEqual([
      'ready',
      ['definition.unresolved'],
    ]);
  });

  it('beside a folder on disk leaves that one to be the folder of variables', async () => {
    scene.folders.push({ name: 'disk', uri: new FakeUri('file', '/w/disk') });
    expect((await found()).map(previewDefinition).map(argsOf)).toEqual([['--port'], ['/w/disk']]);
  });
});
