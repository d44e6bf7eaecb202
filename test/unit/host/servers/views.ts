import type { ConnectionState } from '../../../../src/core/client/connection.ts';
import type { ToolInfo } from '../../../../src/core/client/tools.ts';
import { Timeline } from '../../../../src/core/timeline/timeline.ts';
import type { Recording } from '../../../../src/host/recording.ts';
import type { ServerView } from '../../../../src/host/servers/serverService.ts';
import type { ServersTreeParts } from '../../../../src/host/servers/serversTree.ts';
import type { ServerId } from '../../../../src/protocol/events.ts';
import type { Exchange } from '../../../../src/protocol/exchange.ts';
import type { OutcomeKind } from '../../../../src/protocol/outcome.ts';
import { exchange, verdict } from '../../core/timeline/support.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const server = 'test:1' as ServerId;

const tool = (name: string): ToolInfo => ({ name, hints: {} });

export const running: Extract<ConnectionState, { kind: 'running' }> = {
  kind: 'running',
  revision: '2025-11-25',
  serverInfo: undefined,
  capabilities: {},
};

export const failed: Extract<ConnectionState, { kind: 'failed' }> = {
  kind: 'failed',
  failure: {
    code: 'connection.exited',
    remedy: 'connection.exited.remedy',
    args: {},
    failure: { reason: 'exited', message: '…', exitCode: 7, stderrTail: ['123'] },
  },
};

/** A server with tools of these names; names are digits, so that they are words of no language. */
export function viewOf(state: ConnectionState, tools: readonly string[] = []): ServerView {
  return {
    definition: {
      id: server,
      name: '42',
      source: { kind: 'settings' },
      transport: { type: 'stdio', command: '1', args: [], env: {} },
    } as unknown as ServerView['definition'],
    state,
    tools: tools.map(tool),
    ...(state.kind === 'failed' ? { why: { code: '', sentence: '7 !', remedy: '8 !', isLoop: false } } : {}),
  };
}

/** The parts of a tree over one server and these calls of its tools. */
export function partsOf(view: ServerView, calls: readonly (readonly [tool: string, outcome: OutcomeKind])[]) {
  const timeline = new Timeline();
  const exchanges = calls.map(([target, outcome], index): Exchange => {
    const key = 1 + index * 2;
    const startUs = 1_700_000_000_000_000;
    const times = { startUs, endUs: startUs + 12_345_000, endSeq: key + 1 };
    return exchange(key, { server, target, verdict: verdict(outcome), ...times });
  });
  timeline.apply(exchanges);
  const recording = { timeline, exchange: (key: number) => exchanges.find((one) => one.key === key) };
  return {
    servers: { views: () => [view] },
    stats: { all: () => timeline.tools() },
    recording: recording as unknown as Recording,
    seen: { isEmpty: true, all: () => [] },
    clock: new FakeClock(),
  } as unknown as ServersTreeParts;
}
