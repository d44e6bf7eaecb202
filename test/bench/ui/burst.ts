import { runCommand, until } from '../../vscode/host/gestures.ts';
import { callTool, confirmDialog, timelineIn } from '../../vscode/host/timeline.ts';
import type { Workbench } from '../../vscode/host/workbench.ts';
import { type Tasks, tasksDuring } from './longestTask.ts';
import { frameIdOf } from './prepared.ts';

export interface Burst extends Tasks {
  /** From the call being sent to the last of its rows on the screen, ms. */
  readonly shownMs: number;
}

/** Starts the burst server. A person's consent is asked for once. */
export async function connectBurst(workbench: Workbench): Promise<void> {
  await runCommand(workbench, 'Faultline: Connect All');
  await confirmDialog(workbench, 'Start');
  await workbench.page
    .getByRole('treeitem', { name: /^burst, 20\d\d-/ })
    .first()
    .waitFor();
}

/** So many notifications as fast as the server can send them; resolves when the timeline has a row for each. */
export async function burst(workbench: Workbench, count: number): Promise<Burst> {
  const { page } = workbench;
  const timeline = await timelineIn(workbench, 'sidebar');
  const session = await page.context().newCDPSession(page);
  const frameId = await frameIdOf(session);
  await session.detach();
  const rows = async () => Number(await timeline.locator('#grid').getAttribute('aria-rowcount'));
  const before = await rows();
  let [begunMs, shownMs] = [0, 0];
  const tasks = await tasksDuring(page, frameId, async () => {
    await callTool(workbench, 'burst', `burst_${count}`, []);
    begunMs = Date.now();
    // One row each, and one of the call.
    await until(async () => (await rows()) >= before + count + 1, `${count} rows`, 300_000);
    await timeline
      .locator('.row', { hasText: `message ${count} of ${count}` })
      .or(timeline.locator('.row:not(.is-loading)'))
      .last()
      .waitFor();
    shownMs = Date.now();
  });
  return { ...tasks, shownMs: shownMs - begunMs };
}
