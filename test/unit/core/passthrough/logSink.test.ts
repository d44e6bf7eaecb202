import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openEventLog } from '../../../../src/core/log/eventLog.ts';
import { createLogSink } from '../../../../src/core/passthrough/logSink.ts';
import type { ConnectionId, NewLogEvent, ServerId, SessionId } from '../../../../src/protocol/events.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'faultline-sink-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const event = (line: string): NewLogEvent => ({
  session: 's' as SessionId,
  server: 'tap:x' as ServerId,
  connection: 'c' as ConnectionId,
  wallUs: 1,
  monoUs: 1,
  origin: 'tap:y',
  body: { kind: 'stderr', line, level: 'unknown' },
});

function read(file: string): readonly NewLogEvent['body'][] {
  const log = openEventLog({ path: file, clock: new FakeClock() });
  const events = log.read({ limit: 1_000_000 });
  log.dispose();
  return events.map(({ body }) => body);
}

describe('the sink of a tap', () => {
  it('takes more at once than the log lets wait', () => {
    const file = path.join(folder, 'many.sqlite');
    const sink = createLogSink({ path: file, clock: new FakeClock(), onProblem: () => undefined });
    for (let index = 0; index < 50_000; index += 1) {
      sink.append(event('x'));
    }
    sink.dispose();
    const bodies = read(file);
    expect([bodies.length, bodies.filter(({ kind }) => kind !== 'stderr')]).toEqual([50_000, []]);
  });

  it('tries again to open its file, tells of it once, and says what it has missed', async () => {
    const file = path.join(folder, 'in-the-way.sqlite');
    mkdirSync(file, { recursive: true });
    const clock = new FakeClock();
    const problems: string[] = [];
    const sink = createLogSink({ path: file, clock, onProblem: (code) => problems.push(code) });
    sink.append(event('12345'));
    sink.append(event('678'));
    await clock.advance(1000);
    await clock.advance(5000);
    rmdirSync(file);
    await clock.advance(30_000);
    sink.append(event('heard'));
    sink.dispose();
    expect(problems).toEqual(['log.tap.cannot-open']);
    expect(read(file)).toEqual([
      { kind: 'note', note: { type: 'gap', events: 2, bytes: 8, reason: 'log.gap.tap-closed' } },
      { kind: 'stderr', line: 'heard', level: 'unknown' },
    ]);
  });
});
