import { describe, expect, it, vi } from 'vitest';
import { formatText } from '../../../../src/base/text.ts';
import { Timeline } from '../../../../src/core/timeline/timeline.ts';
import type { AgentVerdict } from '../../../../src/protocol/report.ts';
import { TEXTS } from '../../../../src/protocol/texts.ts';
import { call, fail, reportOnBodies, succeed } from '../../core/report/support.ts';
import { exchange } from '../../core/timeline/support.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { vscodeStub } from '../../support/vscodeStub.ts';

vi.mock('vscode', () => vscodeStub());
const { agentFindings } = await import('../../../../src/host/findings/agentFindings.ts');

const voice = {
  say: (code: string, args = {}) => formatText(TEXTS[code] ?? code, args),
  nameOf: (server: string) => server.slice(server.indexOf(':') + 1),
  time: String,
  language: 'en',
};

const bodies = [call(1), fail(1), call(2), fail(2), call(3, {}, 'time'), succeed(3)];

function scene(verdicts: () => readonly AgentVerdict[]) {
  const clock = new FakeClock();
  const timeline = new Timeline();
  const source = agentFindings({ timeline, agentVerdicts: verdicts }, voice, clock);
  let changes = 0;
  source.onDidChange(() => {
    changes += 1;
  });
  return { source, clock, timeline, changes: () => changes };
}

describe('the verdict on agents among the findings', () => {
  it('names each client with what it did, and leads to the rows', () => {
    const { source } = scene(() => reportOnBodies(bodies, { origin: 'tap:cursor' }).agents);
    const [root] = source.nodes();
    expect(root?.item.label).toBe('How agents dealt with failures');
    const [agent] = root?.children ?? [];
    expect(agent?.item).toMatchObject({
      label: 'cursor',
      description: 'too few failures to tell · 1 blind retry · 1 give-up',
      tooltip: 'cursor met 2 failures in 3 calls: 1 blind retry, 1 give-up.',
    });
    expect(
      agent?.children.map(({ item, row }) => [item.label, item.description, row, item.command?.arguments]),
    ).toEqual([
      ['weather', '1 give-up · shop', 3, [3]],
      ['weather', '1 blind retry · shop', 1, [1]],
    ]);
  });

  it('says nothing of agents that met no failure', () => {
    expect(scene(() => reportOnBodies([call(1), succeed(1)]).agents).source.nodes()).toEqual([]);
  });

  it('makes hostile names harmless', () => {
    const { source } = scene(() => reportOnBodies(bodies, { origin: 'tap:\u001b[2J\u202ecursor' }).agents);
    expect(source.nodes()[0]?.children[0]?.item.label).toBe('\\u001b[2J\\u202ecursor');
  });

  it('tells a burst of calls once, and only when a verdict changed', async () => {
    let agents = reportOnBodies(bodies.slice(0, 2)).agents;
    const { clock, timeline, changes } = scene(() => agents);
    timeline.apply([exchange(1)]);
    timeline.apply([exchange(2)]);
    await clock.advance(1000);
    expect(changes()).toBe(1);
    timeline.apply([exchange(3)]);
    await clock.advance(1000);
    expect(changes()).toBe(1);
    agents = reportOnBodies(bodies).agents;
    timeline.apply([exchange(4)]);
    await clock.advance(1000);
    expect(changes()).toBe(2);
  });
});
