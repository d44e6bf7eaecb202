import { afterEach, describe, expect, it } from 'vitest';
import type { ServerCatalogue } from '../../../src/core/client/pool.ts';
import { createReal, define, idOf, npmServer, type Real, testServer } from './support.ts';

const open: Real[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ pool }) => pool.dispose()));
});

function using(real: Real): Real {
  open.push(real);
  return real;
}

const namesIn = (catalogue: ServerCatalogue | undefined) => [
  catalogue?.tools.items.map(({ name }) => name),
  catalogue?.resources.items.map(({ uri }) => uri),
  catalogue?.resourceTemplates.items.map(({ uriTemplate }) => uriTemplate),
  catalogue?.prompts.items.map(({ name }) => name),
];
const both = [
  ['a', 'b'],
  ['test:///a', 'test:///b'],
  ['test:///a/{id}', 'test:///b/{id}'],
  ['a', 'b'],
];
const first = both.map(([one]) => [one]);

describe('the catalogue of a real server', () => {
  it.each([
    ['', both, true],
    ['bad-item', both, true],
    ['bad-page', first, false],
    ['bad-cursor', both, true],
    ['slow', both, true],
    ['loop', both, false],
  ])('with "%s" has what can be had', async (how, names, isComplete) => {
    const real = using(createReal([define('a', testServer('lists', how))], { baseMs: 20 }));
    const id = idOf('a');
    await real.pool.connect(id);
    await expect.poll(() => namesIn(real.pool.catalogue(id))).toEqual(names);
    await expect.poll(() => real.pool.catalogue(id)?.prompts.isComplete).toBe(isComplete);
    const problems = real.pool.catalogue(id)?.tools.problems.map(({ code }) => code) ?? [];
    const expected: Record<string, string[]> = {
      'bad-item': ['catalogue.malformedItem', 'catalogue.malformedItem'],
      'bad-page': ['catalogue.pageFailed'],
      loop: ['catalogue.cursorLoop'],
    };
    expect(problems).toEqual(expected[how] ?? []);
  });

  it('is there for each server by itself, and outlives it', async () => {
    const real = using(
      createReal([define('good', npmServer('everything')), define('hung', testServer('silentTo', 'initialize'))], {
        connectTimeoutMs: 10_000,
        discoverTimeoutMs: 200,
      }),
    );
    void real.pool.connectAll();
    await expect.poll(() => real.pool.catalogue(idOf('good'))?.prompts.isComplete, { timeout: 15_000 }).toBe(true);
    const catalogue = real.pool.catalogue(idOf('good'));
    expect(namesIn(catalogue).map((names) => (names?.length ?? 0) > 0)).toEqual([true, true, true, true]);
    await real.pool.disconnect(idOf('good'));
    expect(real.pool.catalogue(idOf('good'))).toMatchObject({ isAvailable: false, tools: catalogue?.tools });
  });
});
