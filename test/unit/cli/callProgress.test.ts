import { describe, expect, it } from 'vitest';
import { tellProgress } from '../../../src/cli/callProgress.ts';
import type { AttemptBody, ChainId } from '../../../src/protocol/events.ts';
import { FakeClock } from '../support/fakeClock.ts';

function fixture() {
  const lines: string[] = [];
  const clock = new FakeClock();
  const told = tellProgress({ err: (text) => lines.push(text) }, clock);
  return { lines, clock, told };
}

const attempt = (decision: AttemptBody['decision']): AttemptBody => ({
  kind: 'attempt',
  chain: 'c1' as ChainId,
  number: 2,
  maxAttempts: 5,
  decision,
  delayMs: 1234.5,
  reason: 'retry.timeout',
});

describe('what a call says while it is under way', () => {
  it.each([
    [{ progress: 3 }, 'faultline: progress 3\n'],
    [{ progress: 3, total: 10 }, 'faultline: progress 3 of 10\n'],
    [{ progress: 3, total: 10, message: 'reading' }, 'faultline: progress 3 of 10: reading\n'],
    [{ progress: 3, message: '' }, 'faultline: progress 3\n'],
    [{ progress: 3, message: 'a\u001B[2Jb\nc' }, 'faultline: progress 3: a\\u001b[2Jb c\n'],
    [{ progress: 3, message: 'x'.repeat(10_000) }, /^faultline: progress 3: x{150,200}…?\n$/],
  ])('tells of %j', (progress, line) => {
    const { lines, told } = fixture();
    told.onProgress?.(progress);
    expect(lines).toEqual([typeof line === 'string' ? line : expect.stringMatching(line)]);
  });

  it('tells a line every 250 ms, and the end in any case', async () => {
    const { lines, clock, told } = fixture();
    for (let progress = 1; progress <= 100; progress += 1) {
      told.onProgress?.({ progress, total: 100 });
      await clock.advance(10);
    }
    expect(lines.map((line) => line.trim().split(' ')[2])).toEqual(['1', '26', '51', '76', '100']);
  });

  it('tells what is waited for before another attempt, and nothing else of the attempts', () => {
    const { lines, told } = fixture();
    for (const decision of ['send', 'wait', 'give-up', 'refuse', 'cancel'] as const) {
      told.onAttempt?.(attempt(decision));
    }
    expect(lines).toEqual([expect.stringMatching(/^faultline: attempt 2 of 5 in 123[45] ms: \w.*\n$/)]);
  });
});
