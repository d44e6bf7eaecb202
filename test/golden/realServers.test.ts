import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { rebuilt } from '../../src/cli/commands/show.ts';
import { Correlator } from '../../src/core/classify/correlate.ts';
import { judge } from '../../src/core/classify/judge.ts';
import { inOrder, project } from '../../src/core/export/bugReportBundle.ts';
import { projectionLine } from '../../src/core/export/projectionText.ts';
import { type SessionHeader, writeSession } from '../../src/core/export/sessionFile.ts';
import { readSession } from '../../src/core/export/sessionReader.ts';
import type { LogEvent } from '../../src/protocol/events.ts';
import { expectGolden } from './expectGolden.ts';

/** Sessions of real servers, recorded by `record.ts`, and what they are projected to. */
const folder = path.resolve(import.meta.dirname, '../fixtures/golden/sessions');
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.faultline.jsonl'))
  .map((file) => path.basename(file, '.faultline.jsonl'));
const fileOf = (name: string) => path.join(folder, `${name}.faultline.jsonl`);

async function contents(name: string): Promise<{ header: SessionHeader; events: LogEvent[] }> {
  const events: LogEvent[] = [];
  let header: SessionHeader | undefined;
  for await (const item of readSession(createReadStream(fileOf(name)))) {
    if (item.kind === 'problem') {
      throw new Error(item.problem.code);
    }
    if (item.kind === 'header') {
      header = item.header;
    }
    if (item.kind === 'event') {
      events.push(item.event);
    }
  }
  if (header === undefined) {
    throw new Error('no header');
  }
  return { header, events };
}

async function projected(events: AsyncIterable<LogEvent> | Iterable<LogEvent>): Promise<string> {
  const exchanges = await project(events, new Correlator(judge));
  return inOrder([...exchanges.values()])
    .map((exchange) => `${projectionLine(exchange)}\n`)
    .join('');
}

async function* inTurn(events: readonly LogEvent[]) {
  yield* events;
}

describe('recorded sessions of real servers', () => {
  it('are there', () => expect(names.sort()).toEqual(['demo', 'everything', 'filesystem', 'memory']));

  it.each(names)('%s is projected as expected, and alike from nothing but the wire', async (name) => {
    const { events } = await contents(name);
    const actual = await projected(events);
    expectGolden(actual, folder, name);
    expect(await projected(rebuilt(inTurn(events)))).toBe(actual);
  });

  it.each(names)('%s is written again to the same bytes', async (name) => {
    const { header, events } = await contents(name);
    const pieces: string[] = [];
    for await (const piece of writeSession(header, events)) {
      pieces.push(piece);
    }
    expect(pieces.join('')).toBe(readFileSync(fileOf(name), 'utf8'));
  });

  it.each(names)('%s tells nothing of the machine that it was recorded on', (name) => {
    const text = readFileSync(fileOf(name), 'utf8');
    expect(text.match(/\/(?:home\/(?!me\b)|Users\/|root\/|work\/|private\/|tmp\/)[^"]{0,40}/g)).toBeNull();
  });
});
