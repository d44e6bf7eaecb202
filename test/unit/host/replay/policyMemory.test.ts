import { describe, expect, it } from 'vitest';
import { presetPolicy } from '../../../../src/core/replay/replayPolicy.ts';
import { DEFAULT_RETRY_SETTINGS } from '../../../../src/core/resilience/policy.ts';
import { keepHabit, policyOf, readHabit } from '../../../../src/host/replay/policyMemory.ts';

function memoryOf(initial?: unknown) {
  const kept = new Map<string, unknown>(initial === undefined ? [] : [['faultline.replay', initial]]);
  return {
    get: <T>(key: string) => kept.get(key) as T | undefined,
    update: async (key: string, value: unknown) => {
      // As VS Code keeps it.
      kept.set(key, JSON.parse(JSON.stringify(value)));
    },
  };
}

const own = { ...presetPolicy('gentle', DEFAULT_RETRY_SETTINGS), maxAttempts: 7 };
const unset = { choice: 'configured', isFresh: false };

describe('the habit of replaying', () => {
  it('is what was chosen last, in the next session too', async () => {
    const memory = memoryOf();
    expect(readHabit(memory)).toEqual(unset);
    await keepHabit(memory, { choice: 'own', own, isFresh: true });
    expect(readHabit(memory)).toEqual({ choice: 'own', own, isFresh: true });
    expect(policyOf(readHabit(memory), DEFAULT_RETRY_SETTINGS)).toEqual(own);
  });

  it('keeps a policy of one’s own while a preset is used', async () => {
    const memory = memoryOf();
    await keepHabit(memory, { choice: 'own', own, isFresh: false });
    await keepHabit(memory, { choice: 'none', isFresh: false });
    expect(readHabit(memory)).toEqual({ choice: 'none', own, isFresh: false });
    expect(policyOf(readHabit(memory), DEFAULT_RETRY_SETTINGS).maxAttempts).toBe(1);
  });

  it('follows the settings where it names what is configured', () => {
    const settings = { ...DEFAULT_RETRY_SETTINGS, maxAttempts: 9 };
    expect(policyOf(readHabit(memoryOf()), settings).maxAttempts).toBe(9);
  });

  it.each([
    ['something else', 'nonsense'],
    ['a preset of another version', { choice: 'reckless', isFresh: false }],
    ['a policy of one’s own that is gone', { choice: 'own', isFresh: true }],
    ['numbers that are none', { choice: 'own', own: { ...own, baseMs: 'soon' }, isFresh: true }],
  ])('is as if nothing were kept when that is %s', (_name, kept) => {
    expect(readHabit(memoryOf(kept))).toEqual(unset);
  });

  it('brings what was kept into its bounds', () => {
    const wild = { ...own, maxAttempts: 1e6, retryOn: ['success', 'timeout'] };
    expect(readHabit(memoryOf({ choice: 'own', own: wild, isFresh: false })).own).toEqual({
      ...own,
      maxAttempts: 20,
      retryOn: ['timeout'],
    });
  });
});
