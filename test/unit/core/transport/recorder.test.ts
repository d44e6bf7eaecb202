import { expect, it } from 'vitest';
import { createRecorder } from '../../../../src/core/transport/recorder.ts';
import type { NewLogEvent } from '../../../../src/protocol/events.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { testContext } from './wireProbe.ts';

it('records what a failing sink lost as a gap, and never throws', () => {
  const taken: NewLogEvent[] = [];
  let isFailing = false;
  const sink = {
    append(event: NewLogEvent) {
      if (isFailing) {
        throw new Error('disk full');
      }
      taken.push(event);
    },
  };
  const clock = new FakeClock(1000);
  const record = createRecorder({ context: testContext, sink, clock });
  const noise = { kind: 'noise', stream: 'stdout', raw: 'ab', bytes: 2, problem: 'not-json' } as const;

  record(noise);
  isFailing = true;
  record(noise);
  record({ kind: 'stderr', line: 'x', level: 'unknown' });
  isFailing = false;
  record(noise);
  record(noise);

  const stamp = { ...testContext, wallUs: 1000, monoUs: 0 };
  expect(taken).toEqual([
    { ...stamp, body: noise },
    { ...stamp, body: { kind: 'note', note: { type: 'gap', events: 2, bytes: 2, reason: 'disk full' } } },
    { ...stamp, body: noise },
    { ...stamp, body: noise },
  ]);
});
