import { SilentTools } from '../../../../src/core/timeline/silentTools.ts';
import { Timeline } from '../../../../src/core/timeline/timeline.ts';
import type { Behaviour } from '../../../../src/protocol/behaviour.ts';
import type { ServerId } from '../../../../src/protocol/events.ts';
import { exchange, verdict } from '../../core/timeline/support.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const startUs = 1_700_000_000_000_000;

/** Two servers: one hides failures and is called in a loop, the other may have been called twice. Names are digits. */
export function scene() {
  const clock = new FakeClock(startUs + 120_000_000);
  const silent = new SilentTools();
  silent.apply(
    ['1', '2', '2'].map((target, index) =>
      exchange(1 + index * 2, {
        server: 'test:1' as ServerId,
        target,
        verdict: verdict('silent_error'),
        startUs: startUs + index * 1_000_000,
      }),
    ),
  );
  const behaviour = { tool: '3', fingerprint: '', startUs, endUs: startUs, changed: [] };
  const behaviours = [
    { ...behaviour, id: 'a', kind: 'loop', server: 'test:1', count: 4, exchanges: [11, 13, 15, 17] },
    { ...behaviour, id: 'b', kind: 'possible_duplicate', server: 'test:2', count: 2, exchanges: [21, 23] },
  ] as unknown as readonly Behaviour[];
  const recording = { timeline: new Timeline(), recentBehaviours: () => behaviours };
  return { clock, silent, recording, servers: { nameOf: (server: string) => server.slice(5) } };
}
