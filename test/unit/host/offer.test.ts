import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { offer } from '../../../src/host/offer.ts';

const told: unknown[][] = [];

vi.mock('vscode', () => ({
  l10n: {
    t: (text: string, ...args: string[]) => text.replaceAll(/\{(\d)\}/g, (_, place) => args[Number(place)] ?? ''),
  },
  window: {
    showErrorMessage: (...shown: unknown[]) => {
      told.push(shown);
      return Promise.resolve(undefined);
    },
  },
  commands: {},
}));

describe('what is offered after something is done', () => {
  beforeEach(() => {
    told.length = 0;
  });

  const answering =
    (answer: string | undefined) =>
    (message: string, ...titles: string[]) => {
      told.push([message, ...titles]);
      return Promise.resolve(answer);
    };

  it.each([
    ['is done when it is chosen', 'Open', 1],
    ['is left when nothing is', undefined, 0],
  ])('%s', async (_, answer, times) => {
    const run = vi.fn();
    offer(answering(answer), 'Done.', { title: 'Open', run });
    await setImmediate();
    expect([told, run.mock.calls.length]).toEqual([[['Done.', 'Open']], times]);
  });

  it('may be nothing', async () => {
    offer(answering(undefined), 'Done.', undefined);
    await setImmediate();
    expect(told).toEqual([['Done.']]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('gone');
      },
    ],
    ['rejects', () => Promise.reject(new Error('gone'))],
  ])('tells under its title what goes wrong when it %s', async (_, run) => {
    offer(answering('Open'), 'Done.', { title: 'Open', run });
    await setImmediate();
    expect(told[1]?.[0]).toBe('Open failed: gone');
  });
});
