import { expect, it } from 'vitest';
import { pagesFor } from '../../../../src/host/timeline/rowPages.ts';

it.each([
  [0, 100, 5000, [0]],
  [300, 100, 5000, [300]],
  [4900, 100, 5000, [4900]],
  [4900, 100, 60, [0]],
  [4900, 100, 230, [200, 100]],
  [4900, 100, 260, [200]],
  [200, 100, 230, [200, 100]],
  [0, 100, 20, [0]],
  [0, 100, 0, []],
  [0, 0, 100, []],
])('rows from %i, %i of them, of then %i', (from, count, total, expected) => {
  expect(pagesFor({ from, count }, total)).toEqual(expected);
});
