import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../../src/protocol/version.ts';
import { ensureBuild } from '../../tools/lib/build.mjs';
import { root } from '../../tools/lib/paths.mjs';
import { packCli } from '../../tools/package/cliPackage.mjs';

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** An empty folder, outside of every checkout, that the package is installed in. */
let folder: string;
let installed: string;
let archive: string;
let files: readonly string[];

/** Without what `npm test` and vitest gave this process, and with nothing of a person's home. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_)/i.test(name));
  const places = {
    HOME: folder,
    XDG_STATE_HOME: path.join(folder, 'state'),
    npm_config_cache: path.join(folder, 'cache'),
  };
  // `npx` and the scripts of npm are to run by the Node.js of the extension host, which runs this.
  const { PATH = '' } = process.env;
  return {
    ...Object.fromEntries(entries),
    ...places,
    PATH: [path.dirname(process.execPath), PATH].join(path.delimiter),
  };
}

async function run(words: readonly string[], input = ''): Promise<Ran> {
  const [command = '', ...args] = words;
  const child = spawn(command, args, { cwd: folder, env: cleanEnvironment(), shell: process.platform === 'win32' });
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  child.stdin.end(input);
  const [code, stdout, stderr] = await Promise.all([closed, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

/** As `npx` starts it, without the second that npm takes to find it. */
const faultline = (args: readonly string[], input?: string) =>
  run([process.execPath, path.join(installed, 'dist/cli.js'), ...args], input);

beforeAll(async () => {
  await ensureBuild((note) => process.stderr.write(`${note}\n`));
  const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'faultline-npm-')));
  folder = path.join(scratch, 'empty');
  mkdirSync(folder);
  const packed = await packCli(root, scratch);
  files = packed.files;
  archive = packed.file;
  installed = path.join(folder, 'node_modules/faultline');
  const flags = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, stderr } = await run(['npm', 'install', ...flags, `../${path.basename(packed.file)}`]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
}, 120_000);

afterAll(() => {
  rmSync(path.dirname(folder), { recursive: true, force: true });
});

// Most of it is waiting: the demo takes its time, and so do processes to start.
describe.concurrent('the npm package of the command line', () => {
  it('brings nothing but itself, its licence, its own README and its manual', () => {
    expect(readdirSync(path.join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'faultline',
    ]);
    const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
    expect(Object.keys(manifest).filter((name) => /dependencies|scripts|private/i.test(name))).toEqual([]);
    expect(manifest).toMatchObject({ name: 'faultline', version: VERSION, engines: { node: '>=22.13.0' } });
    const inDist = readdirSync(path.join(installed, 'dist')).sort();
    expect(inDist).toEqual(files);
    expect(inDist.filter((name) => /extension|late-|webview|\.map$/.test(name))).toEqual([]);
    expect(readdirSync(installed).sort()).toEqual([
      'LICENSE',
      'README.md',
      'ThirdPartyNotices.txt',
      'dist',
      'man',
      'package.json',
    ]);
  });

  it('is the same to the byte when it is packed again, with another umask', async () => {
    const umask = process.umask(0o077);
    const again = await packCli(root, path.join(folder, '../again')).finally(() => process.umask(umask));
    expect(readFileSync(again.file).equals(readFileSync(archive))).toBe(true);
  });

  it('is found by npx', async () => {
    const { code, stdout, stderr } = await run(['npx', '--offline', 'faultline', '--version']);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
  });

  it('says which Node.js it needs to one that cannot run it', async () => {
    const old = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.19.0'}})`;
    const { code, stderr } = await run([process.execPath, '--import', old, path.join(installed, 'dist/cli.js')]);
    expect(code).toBe(2);
    expect(stderr).toContain('faultline needs Node.js 22.13 or later; this is 20.19.0');
  });

  it('lints with its own parser and grammars', async () => {
    cpSync(path.join(root, 'media/demo-workspace'), path.join(folder, 'sources'), { recursive: true });
    const { code, stdout } = await faultline(['lint', 'sources']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/\.py:.* FL001 .*\n[\s\S]*\.ts:.* FL001 .*\n[\s\S]*findings in 2 files\.\n$/);
  });

  it('taps the demo server with its recording thread, and shows what passed', async () => {
    const server = path.join(installed, 'dist/demo-server.js');
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
    const tapped = ['--server', 'books', '--log', 'tap.sqlite', '--', process.execPath, server];
    expect(await faultline(['tap', ...tapped], ping)).toMatchObject({
      code: 0,
      stdout: '{"result":{},"jsonrpc":"2.0","id":1}\n',
    });
    expect((await faultline(['show', '--log', 'tap.sqlite'])).stdout).toMatch(/ping.*success|success.*ping/);
  });

  it('calls a tool with its client and its log', async () => {
    const command = `'${process.execPath}' '${path.join(installed, 'dist/demo-server.js')}'`;
    const args = ['call', '--command', command, '--log', 'call.sqlite', 'get_author', '{"title":"Dune"}'];
    const { code, stdout } = await faultline(args);
    expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, last: 'Frank Herbert' });
  });

  it('explains an exchange that it is given', async () => {
    const exchange = {
      request: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'find' } },
      response: { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'no' }], isError: true } },
    };
    const { code, stdout } = await faultline(['explain'], `${JSON.stringify(exchange)}\n`);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('tool error') });
  });

  it('plays the demo over both transports', async () => {
    const { code, stdout } = await faultline(['demo']);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('bookshop-http search_books') });
  });
});
