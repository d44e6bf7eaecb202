import { describe, expect, it } from 'vitest';
import { type Batch, type Passage, passagesOf, weightOf } from '../../../../src/core/passthrough/passage.ts';
import { createTape } from '../../../../src/core/passthrough/tape.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { seededRandom } from '../../support/seededRandom.ts';
import { bytesOf } from './support.ts';

function open(maxBehindBytes?: number) {
  const clock = new FakeClock();
  const batches: Batch[] = [];
  const transfers: (readonly ArrayBuffer[])[] = [];
  let takes = true;
  const tape = createTape({
    clock,
    post: (batch, transfer) => {
      if (takes) {
        batches.push(batch);
        transfers.push(transfer);
      }
      return takes;
    },
    ...(maxBehindBytes === undefined ? {} : { maxBehindBytes }),
  });
  const passages = () => batches.flatMap((batch) => [...passagesOf(batch)]);
  return { clock, tape, batches, transfers, passages, refuse: () => (takes = false), accept: () => (takes = true) };
}

const plain = ({ exchange, what }: Passage) =>
  'fact' in what ? what : `${exchange} ${what.channel} ${Buffer.from(what.bytes).toString('latin1')}`;

describe('the tape', () => {
  it('hands on what passed in its order, in one batch for what comes close together', async () => {
    const { clock, tape, batches, passages } = open();
    tape.passed('sent', 0, bytesOf('ab'));
    tape.happened(3, { fact: 'end', channel: 'sent' });
    tape.passed('received', 3, bytesOf('c'));
    expect(batches).toEqual([]);
    await clock.advance(20);
    expect(batches).toHaveLength(1);
    expect(passages().map(plain)).toEqual(['0 sent ab', { fact: 'end', channel: 'sent' }, '3 received c']);
  });

  it('waits for a pause, but not for ever', async () => {
    const { clock, tape, passages } = open();
    for (let ms = 0; ms < 240; ms += 10) {
      tape.passed('sent', 0, bytesOf('x'));
      await clock.advance(10);
    }
    expect(passages()).toEqual([]);
    tape.passed('sent', 0, bytesOf('x'));
    await clock.advance(19);
    expect(passages()).toHaveLength(25);
  });

  it('waits with a whole burst while the recorder rests, and with less once it is behind', async () => {
    const { clock, tape, batches } = open();
    const pass = () => tape.passed('sent', 0, new Uint8Array(17_000_000));
    pass();
    pass();
    expect(batches).toHaveLength(0);
    pass();
    expect(batches).toHaveLength(1);
    pass();
    expect(batches).toHaveLength(2);
    for (const batch of batches) {
      tape.recorded(weightOf(batch));
    }
    pass();
    expect(batches).toHaveLength(2);
    await clock.advance(20);
    expect(batches).toHaveLength(3);
  });

  it('gives back any bytes, however they are sized', async () => {
    const random = seededRandom(11);
    const { clock, tape, passages } = open();
    const expected: string[] = [];
    for (let index = 0; index < 300; index += 1) {
      const bytes = Uint8Array.from({ length: Math.floor(random() ** 6 * 40_000) }, () => Math.floor(random() * 256));
      const isOwned = random() < 0.5;
      tape.passed(random() < 0.5 ? 'sent' : 'received', index, bytes, isOwned ? () => random() < 0.5 : undefined);
      expected.push(Buffer.from(bytes).toString('latin1'));
    }
    await clock.advance(20);
    expect(
      passages().map(({ what }) => ('bytes' in what ? Buffer.from(what.bytes as Uint8Array).toString('latin1') : '')),
    ).toEqual(expected);
  });

  it('takes the memory of a large chunk only when it is spent and has it for itself', async () => {
    const { clock, tape, transfers } = open();
    const [spent, unspent, shared] = [new Uint8Array(10_000), new Uint8Array(10_000), new Uint8Array(20_000)];
    tape.passed('sent', 0, spent, () => true);
    tape.passed('sent', 0, unspent, () => false);
    tape.passed('sent', 0, shared.subarray(0, 10_000), () => true);
    tape.passed('sent', 0, new Uint8Array(10_000));
    await clock.advance(20);
    const [transfer = []] = transfers;
    expect([spent, unspent, shared].map(({ buffer }) => transfer.includes(buffer))).toEqual([true, false, false]);
  });

  it('counts what there is no room for, and says so as soon as there is', async () => {
    const { clock, tape, batches, passages } = open(1000);
    tape.passed('sent', 0, bytesOf('x'.repeat(900)));
    await clock.advance(20);
    tape.passed('sent', 0, bytesOf('lost\nlost'));
    tape.passed('sent', 0, bytesOf('lost too\n'.repeat(20)));
    tape.passed('received', 0, bytesOf('y'.repeat(99)));
    await clock.advance(20);
    expect(batches).toHaveLength(1);
    tape.recorded(batches.reduce((sum, batch) => sum + weightOf(batch), 0));
    tape.passed('sent', 0, bytesOf('kept'));
    await clock.advance(20);
    const gap = { fact: 'gap', reason: 'log.gap.tap-behind' };
    expect(passages().slice(1).map(plain)).toEqual([
      { ...gap, channel: 'sent', lines: 21, bytes: 189, endsLine: true },
      { ...gap, channel: 'received', lines: 0, bytes: 99, endsLine: false },
      '0 sent kept',
    ]);
  });

  it('takes one passage of any size when nothing is behind, and facts for longer than bytes', async () => {
    const { clock, tape, passages } = open(100);
    tape.passed('sent', 0, new Uint8Array(5000));
    tape.happened(0, { fact: 'end', channel: 'sent' });
    await clock.advance(20);
    expect(passages()).toHaveLength(2);
  });

  it('says how much was lost with a recorder that died', async () => {
    const { clock, tape, passages } = open();
    tape.passed('sent', 0, bytesOf('x'.repeat(1000)));
    await clock.advance(20);
    tape.lost('log.gap.tap-recorder');
    await clock.advance(20);
    expect(passages().slice(1).map(plain)).toEqual([
      { fact: 'gap', channel: 'received', reason: 'log.gap.tap-recorder', lines: 0, bytes: 1064, endsLine: false },
    ]);
  });
});
