import { describe, expect, it } from 'vitest';
import { deferEventLog } from '../../../../src/core/log/deferredLog.ts';
import { type EventLog, type LogSettings, openEventLog } from '../../../../src/core/log/eventLog.ts';
import type { ConnectionId, NewLogEvent, ServerId, SessionId } from '../../../../src/protocol/events.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const event: NewLogEvent = {
  session: 's' as SessionId,
  server: 'settings:shop' as ServerId,
  connection: 'c' as ConnectionId,
  wallUs: 1,
  monoUs: 1,
  origin: 'client',
  body: { kind: 'stderr', line: 'ready', level: 'info' },
};

function setUp() {
  const opened: EventLog[] = [];
  const configured: LogSettings[] = [];
  const log = deferEventLog(
    () => {
      const real = openEventLog({ path: undefined, clock: new FakeClock() });
      const configure = real.configure.bind(real);
      real.configure = (settings) => {
        configured.push(settings);
        configure(settings);
      };
      return real;
    },
    (real) => opened.push(real),
  );
  return { log, opened, configured };
}

describe('a deferred log', () => {
  it('is not opened by subscribing, configuring, flushing or asking for refused patterns', () => {
    const { log, opened } = setUp();
    log.onDidAppend(() => undefined);
    log.configure({ limits: { maxBytes: 1, maxAgeMs: 1 } });
    log.flush();
    expect([log.refusedPatterns, opened.length]).toEqual([[], 0]);
  });

  it('is opened once, by the first use, with the settings that it was given before', () => {
    const { log, opened, configured } = setUp();
    const settings: LogSettings = { redaction: 'raw' };
    log.configure(settings);
    log.append(event);
    expect([log.status.kind, log.count >= 0, opened.length]).toEqual(['memory', true, 1]);
    expect(configured).toEqual([settings]);
    log.dispose();
  });

  it('passes on what its listeners subscribed to before it was open', () => {
    const { log } = setUp();
    const seen: number[] = [];
    log.onDidAppend((events) => seen.push(...events.map(({ seq }) => seq)));
    log.append(event);
    log.flush();
    expect(seen).toEqual([1]);
    expect(log.get(1)).toMatchObject(event);
    log.dispose();
  });

  it('opens nothing for what comes after its end', () => {
    const { log, opened } = setUp();
    log.dispose();
    log.append(event);
    expect(opened.length).toBe(0);
  });
});
