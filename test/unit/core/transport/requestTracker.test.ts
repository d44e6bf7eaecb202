import { expect, it } from 'vitest';
import { createRequestTracker } from '../../../../src/core/transport/requestTracker.ts';
import type { TransportFailure } from '../../../../src/protocol/events.ts';
import type { JsonRpcId } from '../../../../src/protocol/jsonrpc.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const ended: TransportFailure = { reason: 'stream-ended', message: 'ended' };
const closed: TransportFailure = { reason: 'closed', message: 'closed' };

function create() {
  const clock = new FakeClock();
  const lost: [JsonRpcId, string][] = [];
  return { clock, lost, tracker: createRequestTracker(clock, (id, { reason }) => lost.push([id, reason])) };
}

it('loses what still waits on an exchange, once', () => {
  const { tracker, lost } = create();
  tracker.open(0, 'a');
  tracker.open(1, 'a');
  tracker.open(2, 'b');
  tracker.answered('1');
  expect(tracker.waitingOn('a')).toEqual([0]);
  tracker.lose('a', ended);
  tracker.lose('a', ended);
  expect(lost).toEqual([[0, 'stream-ended']]);
  tracker.loseAll(closed);
  expect(lost).toEqual([
    [0, 'stream-ended'],
    [2, 'closed'],
  ]);
});

it('waits for a stream to be resumed, and for that one in turn', async () => {
  const { tracker, lost, clock } = create();
  tracker.open(1, 'a');
  tracker.awaitResumption('a', '5', 2000, ended);
  await clock.advance(11_000);
  tracker.resume('other', 'x');
  tracker.resume('5', 'b');
  tracker.lose('a', ended);
  await clock.advance(60_000);
  expect(lost).toEqual([]);
  tracker.awaitResumption('b', '6', 1000, ended);
  await clock.advance(10_999);
  expect(lost).toEqual([]);
  await clock.advance(1);
  expect(lost).toEqual([[1, 'stream-ended']]);
});

it('lets a request move to another exchange before it is lost', async () => {
  const { tracker, lost, clock } = create();
  tracker.open(1, 'a');
  tracker.loseAfter(1000, 'a', ended);
  tracker.open(1, 'b');
  await clock.advance(5000);
  expect(lost).toEqual([]);
  tracker.loseAfter(1000, 'b', ended);
  tracker.loseAll(closed);
  expect(clock.pendingMs()).toEqual([]);
  expect(lost).toEqual([[1, 'closed']]);
});
