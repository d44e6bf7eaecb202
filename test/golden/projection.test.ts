import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Correlator } from '../../src/core/classify/correlate.ts';
import { judge } from '../../src/core/classify/judge.ts';
import type { LogEvent } from '../../src/protocol/events.ts';
import { finalStates, lineOf } from '../unit/core/classify/support.ts';
import { expectGolden } from './expectGolden.ts';

/** Recorded sessions and what they are projected to. */
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
    expectGolden(projected(session), folder, session);
  });

  it.each(sessions)('%s is projected alike when it is read again', (session) => {
    const run = () => {
      const correlator = new Correlator(judge);
      return eventsOf(session).map((event) => correlator.push(event));
    };
    expect(run()).toEqual(run());
  });
});
