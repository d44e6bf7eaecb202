import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type EventLog, openEventLog } from '../../../../src/core/log/eventLog.ts';
import type { EventBody } from '../../../../src/protocol/events.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { inFolder, message, withBody } from './support.ts';

const noise = (raw: string): EventBody => ({
  kind: 'noise',
  stream: 'stdout',
  raw,
  bytes: raw.length,
  problem: 'not-json',
});

const bodies: readonly EventBody[] = [
  noise('The quick brown fox'),
  noise('the slow brown FOX, 100% sure_ly'),
  noise('{"text":"he said \\"boo\\"\\nand left"}'),
  { kind: 'stderr', line: 'Fox not found', level: 'error' },
  noise(`${'filler '.repeat(20_000)}needle Fox`),
  noise('C:\\foxes'),
  noise('grüße'),
];

describe.each(['file', 'memory'])('a search in a %s', (kind) => {
  const withLog = (use: (log: EventLog) => Promise<unknown>) =>
    inFolder(async (folder) => {
      const log = openEventLog({
        path: kind === 'file' ? path.join(folder, 'log.db') : undefined,
        clock: new FakeClock(),
      });
      for (const body of bodies) {
        log.append(withBody(body));
      }
      await use(log).finally(() => log.dispose());
    });

  it.each<[string, string, number[]]>([
    ['either case, newest first, compressed payloads and stderr too', 'fox', [6, 5, 4, 2, 1]],
    ['a phrase', 'brown fox', [2, 1]],
    ['a percent sign as itself', '0% s', [2]],
    ['a percent sign that is not there', 'x%x', []],
    ['an underscore as itself', 'e_l', [2]],
    ['what a compressed payload ends with', 'needle', [5]],
    ['a letter beyond ASCII', 'grüße', [7]],
    ['nothing', '', []],
    ['what is not there', 'zebra', []],
  ])('finds %s', (_, text, seqs) =>
    withLog(async (log) => expect(await log.search(text, { limit: 99 })).toEqual(seqs)),
  );

  it('stops at its limit, and when it is aborted', () =>
    withLog(async (log) => {
      expect(await log.search('fox', { limit: 2 })).toEqual([6, 5]);
      expect(await log.search('fox', { limit: 9, signal: AbortSignal.abort() })).toEqual([]);
    }));
});

it('a search finds quotes, line ends and backslashes as a person reads them', () =>
  inFolder(async (folder) => {
    const log = openEventLog({ path: path.join(folder, 'log.db'), clock: new FakeClock() });
    log.append(withBody(noise(JSON.stringify({ text: 'he said "boo"\nand left C:\\foxes' }))));
    for (const text of ['said "boo"', '"boo"\nand', 'C:\\foxes', '\\"boo\\"']) {
      expect([text, await log.search(text, { limit: 9 })]).toEqual([text, [1]]);
    }
    log.dispose();
  }));

it('a search goes through more events than one step, holes among them', () =>
  inFolder(async (folder) => {
    const log = openEventLog({
      path: path.join(folder, 'log.db'),
      clock: new FakeClock(),
      queue: { maxEvents: 1e6, maxBytes: 1e9 },
    });
    for (let id = 1; id <= 25_000; id++) {
      log.append(message(id, id % 5000 === 0 ? { body: noise('needle') } : {}));
    }
    expect(await log.search('needle', { limit: 9 })).toEqual([25_000, 20_000, 15_000, 10_000, 5000]);
    log.dispose();
  }));
