import { expect, it } from 'vitest';
import type { EventBody, LocalEndBody } from '../../../../src/protocol/events.ts';
import { call, finalStates, lifecycle, lineOf, recorded, sent } from './support.ts';

const cancelled: LocalEndBody = { kind: 'local-end', id: 1, end: { kind: 'cancelled', by: 'user' } };
const spawn = lifecycle({ step: 'spawn', command: 'node', args: ['shop.js'] });
const initialized = lifecycle({
  step: 'initialized',
  revision: '2025-11-25',
  capabilities: ['tools'],
  durationUs: 1000,
});
const crashed = lifecycle({ step: 'exited', code: 1, signal: null, expected: false });
const stopped = lifecycle({ step: 'exited', code: 0, signal: null, expected: true });
const stderr = (line: string): EventBody => ({ kind: 'stderr', line, level: 'unknown' });

/** What the life of a connection does to the requests on it. */
const cases: readonly (readonly [name: string, bodies: readonly EventBody[], lines: readonly string[]])[] = [
  [
    'a connection that comes up and goes as it should',
    [spawn, lifecycle({ step: 'started', pid: 7 }), initialized, stopped],
    ['#1 connection connect  by client  success/never  end=#3 after 2 ms  related=#2,#4'],
  ],
  [
    'a program that is not there',
    [
      spawn,
      lifecycle({
        step: 'failed',
        failure: { reason: 'spawn-failed', code: 'ENOENT', message: 'spawn nope ENOENT' },
        durationUs: 900,
      }),
    ],
    [
      '#1 connection connect  by client  transport_error/after_fix  because signal.transport.spawn-failed  end=#2 after 1 ms  failure=spawn-failed',
    ],
  ],
  [
    'a crash after success ends what waits',
    [spawn, initialized, sent(call(1, 'pay')), stderr('Error: out of cheese'), crashed],
    [
      '#1 connection connect  by client  success/never  end=#2 after 1 ms',
      '#3 request tools/call "pay"  id=1  by client  transport_error/only_if_idempotent  because signal.transport.exited,signal.transport.stderr  [ambiguous_delivery]  end=#5 after 2 ms  failure=exited Error: out of cheese',
      '#5 connection exit  by client  transport_error/safe  because signal.connection.exited,signal.transport.stderr  end=#5 after 0 ms  failure=exited Error: out of cheese',
    ],
  ],
  [
    'a crash whose beginning is no longer in the log',
    [crashed],
    [
      '#1 connection exit  by client  transport_error/safe  because signal.connection.exited  end=#1 after 0 ms  failure=exited',
    ],
  ],
  [
    'a server that goes on crashing',
    [
      spawn,
      initialized,
      stderr('Error: out of cheese'),
      crashed,
      lifecycle({ step: 'backoff', delayMs: 1000, attempt: 1 }),
      lifecycle({
        step: 'crash-loop',
        crashes: 5,
        withinMs: 180_000,
        failure: { reason: 'exited', message: '', exitCode: 1, exitSignal: null },
      }),
    ],
    [
      '#1 connection connect  by client  success/never  end=#2 after 1 ms',
      '#4 connection exit  by client  transport_error/safe  because signal.connection.exited,signal.transport.stderr  end=#4 after 0 ms  related=#5  failure=exited Error: out of cheese',
      '#6 connection crash-loop  by client  transport_error/after_fix  because signal.connection.crashLoop,signal.connection.exited,signal.transport.stderr  end=#6 after 0 ms  failure=exited Error: out of cheese',
    ],
  ],
  [
    'a crash at the start, told twice',
    [
      spawn,
      stderr('no config'),
      crashed,
      lifecycle({ step: 'failed', failure: { reason: 'closed', message: 'Connection closed' }, durationUs: 2000 }),
    ],
    [
      '#1 connection connect  by client  transport_error/after_fix  because signal.transport.exited,signal.transport.stderr  end=#3 after 2 ms  related=#4  failure=exited no config',
    ],
  ],
  [
    'a local end says more than the exit',
    [spawn, initialized, sent(call(1, 'pay')), crashed, cancelled],
    [
      '#1 connection connect  by client  success/never  end=#2 after 1 ms',
      '#3 request tools/call "pay"  id=1  by client  cancelled/never  because signal.cancelled.user  end=#5 after 2 ms  related=#4',
      '#4 connection exit  by client  transport_error/safe  because signal.connection.exited  end=#4 after 0 ms  failure=exited',
    ],
  ],
];

it.each(cases)('%s', (_, bodies, lines) => {
  expect(finalStates(recorded(bodies)).map(lineOf)).toEqual(lines);
});
