import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OUTCOME_KINDS } from '../../../src/protocol/outcome.ts';
import { outcomeCounts, playDemo, rowOf, timelineIn } from '../host/timeline.ts';
import { openWorkbench, type Workbench } from '../host/workbench.ts';

const folder = path.join(import.meta.dirname, '../../../media/demo-workspace');

describe('the demo', () => {
  let workbench: Workbench;

  beforeAll(async () => {
    workbench = await openWorkbench({ folder, viewport: { width: 1600, height: 1000 } });
    await playDemo(workbench);
  });

  afterAll(() => workbench?.close());

  it('ends calls in every outcome', async () => {
    await rowOf(await timelineIn(workbench, 'editor'), 'search_books').waitFor();
    const counts = await outcomeCounts(await timelineIn(workbench, 'editor'));
    const missing = OUTCOME_KINDS.filter((kind) => kind !== 'pending' && (counts[kind] ?? 0) === 0);
    await workbench.screenshot('demo-editor');
    expect(missing).toEqual([]);
  });

  it('shows no error', () => {
    expect(workbench.errors()).toEqual([]);
  });
});
