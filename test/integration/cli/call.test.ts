import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoCommand, demoServer, runCli, startCli } from './runCli.ts';

/** A variable as `mcp.json` writes it. */
const variable = (name: string) => ['$', '{', name, '}'].join('');

const everything = path.resolve(
  import.meta.dirname,
  '../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);
const wellBehaved = path.resolve(import.meta.dirname, '../../servers/wellBehaved.mjs');

/** A server that ends with the value of a variable on stderr. */
const echoes = (value: string) => ({
  command: process.execPath,
  args: ['-e', "console.error('got ' + process.env.GIVEN); process.exit(1)"],
  env: { GIVEN: value },
});

let folder: string;
let home: string;
let empty: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'faultline-call-'));
  home = mkdtempSync(path.join(tmpdir(), 'faultline-home-'));
  empty = mkdtempSync(path.join(tmpdir(), 'faultline-empty-'));
  mkdirSync(path.join(folder, '.vscode'));
  writeFileSync(path.join(folder, '.env'), 'FROM_FILE=1\n');
  const bookshop = {
    command: process.execPath,
    args: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', demoServer],
    envFile: `${variable('workspaceFolder')}/.env`,
  };
  const configuration = JSON.stringify({
    servers: {
      bookshop,
      gone: { command: 'no-such-program-anywhere' },
      unresolved: { command: 'node', args: [variable('env:NOT_SET_ANYWHERE')] },
      broken: { type: 'carrier-pigeon' },
      twice: { command: 'one' },
      asking: echoes(variable('input:token')),
      hidden: echoes(variable('secret:key')),
    },
    inputs: [{ id: 'token', type: 'promptString', description: 'Token', password: true }],
  });
  writeFileSync(
    path.join(folder, '.mcp.json'),
    JSON.stringify({ mcpServers: { twice: { command: 'two' }, ofClaude: echoes(variable('NOT_SET:-default')) } }),
  );
  mkdirSync(path.join(home, '.cursor'));
  writeFileSync(path.join(home, '.cursor/mcp.json'), JSON.stringify({ mcpServers: { ofCursor: bookshop } }));
  writeFileSync(path.join(folder, '.vscode/mcp.json'), `// comments are allowed\n${configuration}`);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(home, { recursive: true });
  rmSync(empty, { recursive: true });
});

/** Of a machine on which nobody has configured anything, but for what a test puts there. */
const environment = (more: Readonly<Record<string, string>> = {}) => ({
  HOME: home,
  XDG_CONFIG_HOME: path.join(empty, '.config'),
  XDG_STATE_HOME: path.join(home, '.state'),
  ...more,
});

const call = (...words: readonly string[]) => runCli(['call', ...words], { cwd: folder, env: environment() });

describe('faultline call', () => {
  it('prints the answer of a server of .vscode/mcp.json', async () => {
    const { code, stdout } = await call('bookshop', 'get_author', '{"title":"Dune"}');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^success in \d+ ms: bookshop get_author\n\nFrank Herbert\n$/);
  });

  it('prints the whole outcome as JSON, and fails with a failed call', async () => {
    const words = ['get_author', '{"title":"Dun"}', '--format', 'json'];
    const { code, stdout, stderr } = await call('--command', demoCommand, ...words);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'silent_error',
      detail: { end: { kind: 'result' } },
      attempts: [{ number: 1, outcome: 'silent_error' }],
    });
  });

  it.each([
    ['order_book', '{"title":"Dune","quantity":60}', 0, 'input required'],
    ['appraise_collection', '{"boxes":1}', 0, 'task pending'],
    ['order_book', '{"title":"Dune","quantity":0}', 1, 'tool error'],
    ['get_sales', '{"month":"1"}', 1, 'protocol error'],
    ['reindex_catalogue', '{}', 1, 'transport error'],
  ])('exits for %s %s with %i, %s', async (tool, args, expected, outcome) => {
    const { code, stdout } = await call('bookshop', tool, args);
    expect({ code, outcome: stdout.split(' in ')[0] }).toEqual({ code: expected, outcome });
  });

  it('retries only a server that is trusted', async () => {
    const words = ['bookshop', 'flaky_lookup', '{"isbn":"1"}', '--timeout-ms', '300', '--format', 'json'];
    const [trusted, untrusted] = await Promise.all([call(...words, '--trust'), call(...words)]);
    const outcomes = (stdout: string) =>
      (JSON.parse(stdout) as { attempts: { outcome: string }[] }).attempts.map((attempt) => attempt.outcome);
    expect(outcomes(trusted.stdout)).toEqual(['timeout', 'protocol_error', 'success']);
    expect(outcomes(untrusted.stdout)).toEqual(['timeout']);
    expect([trusted.code, untrusted.code]).toEqual([0, 1]);
  });

  it('shows the last words of a server that dies', async () => {
    const { stdout } = await call('bookshop', 'reindex_catalogue');
    expect(stdout).toContain('stderr: reindex: out of memory while merging segment 4\n');
  });

  it('tells of a program that is not there', async () => {
    const { code, stdout } = await call('gone', 'x');
    expect(code).toBe(1);
    expect(stdout).toContain('no-such-program-anywhere');
  });

  it('records events where it is told to', async () => {
    const { code, stderr } = await call('--command', demoCommand, 'search_books', '--log', 'events.sqlite');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(existsSync(path.join(folder, 'events.sqlite'))).toBe(true);
  });

  it.each<[readonly string[], string]>([
    [['nobody', 'x'], 'there is no usable server nobody'],
    [['unresolved', 'x'], variable('env:NOT_SET_ANYWHERE')],
    [['broken', 'x'], 'carrier-pigeon'],
    [['get_author'], 'name a server and a tool'],
    [['--url', 'http://127.0.0.1:9'], 'name a tool'],
    [['--resource', 'x:y'], 'name a server'],
    [['bookshop', 'extra', '--resource', 'x:y'], 'must be a JSON object'],
    [['bookshop', '--resource', 'x:y', '--prompt', 'z'], 'only one of'],
    [['x', '--url', 'http://127.0.0.1:9', '--command', 'node'], 'not by several'],
    [['x', '--url', 'http://127.0.0.1:9', '--header', 'no colon'], '--header must be "Name: value"'],
    [['x', '--command', 'node', '--header', 'A: b'], '--header goes with --url only'],
    [['x', '--'], 'no command stands after --'],
    [['twice', 'x'], 'several servers are called twice; name one of them: vscode-mcp-json:twice'],
    [['asking', 'x', '--input', 'token'], '--input must be id=value'],
    [['asking', 'x'], '--input token=…'],
    [['hidden', 'x'], 'Set FAULTLINE_SECRET_KEY'],
    [['bookshop', 'x', '{"a":'], 'not valid JSON'],
    [['bookshop', 'x', '[]'], 'must be a JSON object'],
    [['x', '--url', 'ftp://example.com'], '--url must be an http or https URL'],
    [['x', '--command', 'node "server'], 'open quote'],
  ])('cannot call %j', async (words, problem) => {
    const { code, stdout, stderr } = await call(...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(problem);
  });

  it.each<[readonly string[], string]>([
    [['bookshop', 'x'], 'no client has any in this folder or on this machine'],
    [['bookshop', 'x', '--config', 'gone.json'], 'The file cannot be read.'],
  ])('cannot look up a server where there is no file: %j', async (words, problem) => {
    const { code, stderr } = await runCli(['call', ...words], { cwd: empty, env: { ...environment(), HOME: empty } });
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
  });

  it.each<[string, readonly string[], Readonly<Record<string, string>>, string]>([
    ['an input that is given', ['asking', 'x', '--input', 'token=t=1'], {}, 'got t=1'],
    ['a secret of the environment', ['hidden', 'x'], { FAULTLINE_SECRET_KEY: 's1' }, 'got s1'],
    ['the default of another client', ['ofClaude', 'x'], {}, 'got default'],
  ])('fills in %s', async (_name, words, env, said) => {
    const { stdout } = await runCli(['call', ...words], { cwd: folder, env: environment(env) });
    expect(stdout).toContain(said);
  });

  it('finds the servers of every client, by name, source and file', async () => {
    const named = await Promise.all([
      call('ofCursor', 'get_author', '{"title":"Dune"}'),
      call('--server', 'cursor:ofCursor', 'get_author', '{"title":"Dune"}'),
      call('get_author', '{"title":"Dune"}', '--server', 'ofCursor', '--config', path.join(home, '.cursor/mcp.json')),
    ]);
    expect(named.map(({ code, stdout }) => [code, stdout.includes('Frank Herbert')])).toEqual(Array(3).fill([0, true]));
  });

  it('tells on stderr what a long call is doing, and leaves stdout to the answer', async () => {
    const words = ['trigger-long-running-operation', '{"duration":1,"steps":2}', '--', process.execPath, everything];
    const { code, stdout, stderr } = await call(...words);
    expect([code, stdout.split(' in ')[0]]).toEqual([0, 'success']);
    expect(stderr).toMatch(/^faultline: progress 1 of 2\n(.*\n)*faultline: progress 2 of 2\n/m);
  });

  it('starts the command behind --, with its own options', async () => {
    const words = ['work', '{}', '--', process.execPath, '--no-deprecation', wellBehaved];
    const { code, stdout } = await call(...words);
    expect([code, stdout.split(' in ')[0]]).toEqual([0, 'success']);
  });

  it.each<[string, readonly string[], string, string]>([
    ['a command that is not there', ['x', '--', 'no-such-program-anywhere'], 'start.notFound', 'PATH'],
    ['a script that is not there', ['x', '--', process.execPath, '/no/such.js'], 'start.noScript', ''],
    ['a port where nobody listens', ['x', '--url', 'http://127.0.0.1:4/mcp'], 'start.refused', 'Start the server'],
  ])('says why and what to do: %s', async (_name, words, code, remedy) => {
    const [plain, json] = await Promise.all([
      call('--connect-timeout-ms', '5000', ...words),
      call('--connect-timeout-ms', '5000', '--format', 'json', ...words),
    ]);
    expect(JSON.parse(json.stdout)).toMatchObject({ kind: 'transport_error', cause: { code } });
    expect(plain.stdout).toMatch(/\ncause: .+\nremedy: .+\n$/);
    expect(plain.stdout.split('remedy: ')[1]).toContain(remedy);
  });

  it('prints resources, prompts and what there is', async () => {
    const server = ['--', process.execPath, everything, 'stdio'];
    const [list, resource, prompt] = await Promise.all([
      call('--list', ...server),
      call('--resource', 'demo://resource/dynamic/text/1', ...server),
      call('--prompt', 'args-prompt', '{"city":"Kyiv"}', ...server),
    ]);
    expect(list.stdout).toMatch(/^tool {6}echo — /m);
    expect(list.stdout).toMatch(/^prompt {4}args-prompt — /m);
    expect(list.stdout).toMatch(/^template {2}demo:\/\/resource\/dynamic\/text\/\{/m);
    expect([resource.code, resource.stdout]).toEqual([0, expect.stringContaining('Resource 1')]);
    expect([prompt.code, prompt.stdout]).toEqual([0, expect.stringContaining('user: ')]);
    expect(prompt.stdout).toContain('Kyiv');
  });

  it('prints the page that a server wants opened, whole', async () => {
    const { stdout } = await call('bookshop', 'order_book', '{"title":"Dune","quantity":60}');
    expect(stdout).toMatch(/^ {2}open {5}https:\/\/\S+/m);
  });

  it('sends headers to a server over HTTP', async () => {
    const server = await serve('httpWellBehaved');
    const { code } = await call('work', '--url', server.url, '--header', 'X-Shop: north: east', '--header', 'X-Key: k');
    expect(code).toBe(0);
    expect(server.seen[0]?.headers).toMatchObject({ 'x-shop': 'north: east', 'x-key': 'k' });
    await server.close();
  });

  it('waits for nobody when the authorization server refuses to register it', async () => {
    const server = await serve('httpOAuth', { refuse: '1' });
    const words = ['call', 'work', '--url', server.url, '--sign-in', '--format', 'json'];
    const { code, stdout } = await runCli(words, { cwd: folder, env: environment() });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ cause: { code: 'start.signInFailed' } });
    await server.close();
  });

  it('signs in where it is told to, keeps that for itself, and else says what to do', async () => {
    const server = await serve('httpOAuth');
    const words = ['call', 'work', '--url', server.url];
    const options = { cwd: folder, env: environment() };
    const refused = await runCli(words, options);
    expect(refused.stdout).toMatch(/cause: The server asks for authorization \(HTTP 401\)/);

    const child = startCli([...words, '--sign-in'], options);
    child.stdin.end();
    const [output, shown] = await Promise.all([text(child.stdout), visitWhenAsked(child.stderr)]);
    expect([output.split(' in ')[0], new URL(shown).pathname]).toEqual(['success', '/authorize']);

    const file = path.join(home, '.state/faultline/credentials.json');
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    const again = await runCli(words, options);
    expect([again.code, again.stderr]).toEqual([0, '']);
    await server.close();
  });
});

interface TestServer {
  readonly url: string;
  readonly seen: readonly { readonly headers: Readonly<Record<string, string>> }[];
  close(): Promise<void>;
}

async function serve(name: string, options: object = {}): Promise<TestServer> {
  const module: { start(options: object): Promise<TestServer> } = await import(`../../servers/${name}.mjs` as string);
  return module.start(options);
}

/** Does what a person does who is shown an address. */
async function visitWhenAsked(stderr: NodeJS.ReadableStream): Promise<string> {
  let said = '';
  for await (const chunk of stderr) {
    said += String(chunk);
    const url = /^(http\S+)\n/m.exec(said)?.[1];
    if (url !== undefined) {
      await (await fetch(url)).text();
      return url;
    }
  }
  throw new Error(`no address: ${said}`);
}
