import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { demoCommand, runCli } from '../cli/runCli.ts';
import { createReal, define, idOf, testServer } from '../client/support.ts';
import { folder, recorded } from './scene.ts';

async function two(): Promise<string> {
  const real = createReal([define('a', testServer('wellBehaved')), define('b', testServer('wellBehaved'))]);
  for (const name of ['a', 'b']) {
    await real.pool.call({ server: idOf(name), method: 'tools/call', params: { name: 'work' }, origin: 'client' });
  }
  await real.pool.dispose();
  return recorded(real.events, 'two');
}

describe('faultline mock', () => {
  it('serves lines over stdio, says on stderr what it does not know, and ends with its stdin', async () => {
    const file = await two();
    const lines = [
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'work' } },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'rest' } },
    ].map((message) => `${JSON.stringify(message)}\n`);
    const { code, stdout, stderr } = await runCli(['mock', file, '--server', 'a', '--delays', 'none'], {
      input: `${lines.join('')}{\n`,
    });
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect({ code, stderr, answers }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('faultline mock: tools/call "rest" was never called so'),
      answers: expect.arrayContaining([
        expect.objectContaining({ id: 1, result: expect.anything() }),
        expect.objectContaining({ id: 2, error: expect.objectContaining({ code: -32010 }) }),
        expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32700 }) }),
      ]),
    });
  });

  it('serves a session of a log', async () => {
    const log = path.join(folder, 'calls.sqlite');
    const called = await runCli(['call', '--command', demoCommand, 'search_books', '{"query":"dune"}', '--log', log]);
    expect(called.code).toBe(0);
    const input = `${JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'search_books', arguments: { query: 'dune' } } })}\n`;
    const { stdout } = await runCli(['mock', '--log', log, '--delays', 'none'], { input });
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ id: 5, result: { content: [{ text: expect.stringContaining('Dune') }] } }]);
  });

  it('refuses what it cannot serve', async () => {
    const file = await two();
    const refusals = await Promise.all(
      [
        ['mock', 'no-such-session', '--log', file],
        ['mock', file],
        ['mock', file, '--server', 'c'],
        ['mock', file, '--server', 'a', '--delays', 'some'],
        ['mock', file, '--server', 'a', '--listen', '0.0.0.0:8765'],
        ['mock', file, '--server', 'a', '--listen', '127.0.0.1:99999'],
      ].map((args) => runCli(args)),
    );
    expect(refusals.map(({ code, stderr }) => `${code} ${stderr.trim()}`)).toEqual([
      expect.stringMatching(/^2 .*there is no session no-such-session/),
      expect.stringMatching(/^2 .*several servers were recorded, name one by --server: settings:a, settings:b/),
      expect.stringMatching(/^2 .*no server c was recorded/),
      expect.stringMatching(/^2 .*--delays must be recorded, none or a factor/),
      expect.stringMatching(/^2 .*--listen must be an address of this machine/),
      expect.stringMatching(/^2 .*--listen must be an address of this machine/),
    ]);
  });
});
