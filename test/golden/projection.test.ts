import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Correlator } from '../../src/core/classify/correlate.ts';
import { judge } from '../../src/core/classify/judge.ts';
import type { LogEvent } from '../../src/protocol/events.ts';
import { finalStates, lineOf } from '../unit/core/classify/support.ts';

/**
 * Recorded sessions and what they are projected to. On a difference the projection is written beside the expected one as
 * `.actual.txt`; `UPDATE_GOLDEN=1` accepts it.
 */
const folder = path.resolve(import.meta.dirname, '../fixtures/golden');
const sessions = readdirSync(folder)
  .filter((file) => file.endsWith('.jsonl'))
  .map((file) => path.basename(file, '.jsonl'));

function eventsOf(session: string): readonly LogEvent[] {
  return readFileSync(path.join(folder, `${session}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LogEvent);
}

function projected(session: string): string {
  return `${finalStates(eventsOf(session)).map(lineOf).join('\n')}\n`;
}

describe('recorded sessions', () => {
  it('are there', () => expect(sessions.length).toBeGreaterThanOrEqual(7));

  it.each(sessions)('%s is projected as expected', (session) => {
    const expectedFile = path.join(folder, `${session}.expected.txt`);
    const actualFile = path.join(folder, `${session}.actual.txt`);
    const actual = projected(session);
    if (process.env['UPDATE_GOLDEN'] === '1') {
      writeFileSync(expectedFile, actual);
    }
    const expected = existsSync(expectedFile) ? readFileSync(expectedFile, 'utf8') : '';
    if (actual === expected) {
      rmSync(actualFile, { force: true });
    } else {
      writeFileSync(actualFile, actual);
    }
    expect(actual).toBe(expected);
  });

  it.each(sessions)('%s is projected alike when it is read again', (session) => {
    const run = () => {
      const correlator = new Correlator(judge);
      return eventsOf(session).map((event) => correlator.push(event));
    };
    expect(run()).toEqual(run());
  });
});
