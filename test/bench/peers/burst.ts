import { rmSync } from 'node:fs';
import process from 'node:process';
import type { CDPSession, Page } from 'playwright-core';
import { messageOf } from '../../../src/base/messageOf.ts';
import { until } from '../../vscode/host/gestures.ts';
import { callTool, timelineIn } from '../../vscode/host/timeline.ts';
import type { Workbench } from '../../vscode/host/workbench.ts';
import { progress } from '../bench.ts';
import { connectBurst } from '../ui/burst.ts';
import { burstServer, chooseTool, openInspector } from '../ui/inspector.ts';
import { openRows, openWindow } from '../ui/openRows.ts';
import { heapBytes } from '../ui/pageMeasures.ts';
import { preparedHome } from '../ui/prepared.ts';
import { commandOf, residentBytesOf, treeOf } from './processes.ts';
import { OURS, type PeerRow } from './row.ts';

const INSPECTOR = 'Inspector, page';
/** The timeline is known to be there by its first rows. */
const FEW_EVENTS = 10;

export interface BurstOptions {
  readonly counts: readonly number[];
  /** After this a program is given up, ms. */
  readonly limitMs: number;
}

/** What became of one burst. */
interface Burst {
  readonly count: number;
  /** From the call to the last message shown, ms; NaN when that took longer than the limit. */
  readonly shownMs: number;
  /** How many of the messages the page still has at the end. */
  readonly kept: number;
  /** Of the page's script, after collecting garbage. NaN when the page did not answer any more. */
  readonly heapBytes: number;
  /** Of the process that holds the connection, and of those that it has started, the server left out. */
  readonly hostBytes: number;
  readonly note: string;
}

/**
 * The same server sends the same messages as fast as a pipe takes them: how long until the last is shown, how many are kept,
 * and what they cost to hold. Both pages in the same browser, one after the other.
 */
export async function bursts(options: BurstOptions): Promise<readonly PeerRow[]> {
  const ours = await faultlineBursts(options);
  const theirs: Burst[] = [];
  for (const count of options.counts) {
    theirs.push(await inspectorBurst(count, options.limitMs));
  }
  const measured = (name: (count: number) => string, value: (burst: Burst) => number, unit: string) =>
    options.counts.flatMap((count) =>
      [[OURS, ours] as const, [INSPECTOR, theirs] as const].flatMap(([subject, all]) =>
        all
          .filter((burst) => burst.count === count)
          .map((burst) => ({ measure: name(count), subject, value: value(burst), unit, note: burst.note })),
      ),
    );
  const written = (count: number) => count.toLocaleString('en');
  return [
    ...measured(
      (count) => `burst of ${written(count)}: until the last is shown`,
      ({ shownMs }) => (Number.isNaN(shownMs) ? options.limitMs : shownMs),
      'ms',
    ).map((row) => ({ ...row, isAtLeast: row.value >= options.limitMs })),
    ...measured(
      (count) => `burst of ${written(count)}: messages kept`,
      ({ kept }) => kept,
      'messages',
    ),
    ...measured(
      (count) => `burst of ${written(count)}: heap of the page`,
      (burst) => burst.heapBytes,
      'bytes',
    ),
    ...measured(
      (count) => `burst of ${written(count)}: memory of the host`,
      (burst) => burst.hostBytes,
      'bytes',
    ),
  ];
}

/** All in one window, so that it holds the messages of those before as well. */
async function faultlineBursts({ counts, limitMs }: BurstOptions): Promise<readonly Burst[]> {
  const home = await preparedHome(FEW_EVENTS);
  try {
    const workbench = await openWindow(home);
    try {
      await openRows(workbench);
      await connectBurst(workbench);
      const found: Burst[] = [];
      for (const count of counts) {
        progress(`burst: ${count} in ${OURS}`);
        found.push(await faultlineBurst(workbench, count, limitMs));
      }
      return found;
    } finally {
      await workbench.close();
    }
  } finally {
    rmSync(home.scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function faultlineBurst(workbench: Workbench, count: number, limitMs: number): Promise<Burst> {
  const timeline = await timelineIn(workbench, 'sidebar');
  const rows = async () => Number(await timeline.locator('#grid').getAttribute('aria-rowcount'));
  const before = await rows();
  await callTool(workbench, 'burst', `burst_${count}`, []);
  const begunMs = performance.now();
  let shownMs = Number.NaN;
  try {
    // One row each, and one of the call.
    await until(async () => (await rows()) >= before + count + 1, `${count} rows`, limitMs);
    await timeline.locator('.row:not(.is-loading)').last().waitFor();
    shownMs = performance.now() - begunMs;
  } catch (error) {
    progress(`burst: ${messageOf(error)}`);
  }
  const kept = (await rows()) - before - 1;
  const hostBytes = sumOf(extensionHosts(workbench.server.pid));
  return {
    count,
    shownMs,
    kept,
    heapBytes: await heapBytes(workbench),
    hostBytes,
    note: Number.isNaN(shownMs) ? `given up after ${limitMs / 1000} s` : '',
  };
}

/** VS Code's process in which extensions run: all of it, VS Code's own part included. */
function extensionHosts(server: number): readonly number[] {
  return treeOf(server).filter((pid) => commandOf(pid).includes('--type=extensionHost'));
}

const sumOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + residentBytesOf(pid), 0);

async function inspectorBurst(count: number, limitMs: number): Promise<Burst> {
  progress(`burst: ${count} in the Inspector`);
  const { page, pid, close } = await openInspector([process.execPath, burstServer]);
  try {
    const button = await chooseTool(page, `burst_${count}`);
    const session = await page.context().newCDPSession(page);
    const begunMs = performance.now();
    let shownMs = Number.NaN;
    try {
      await button.click({ timeout: limitMs });
      const left = Math.max(1, limitMs - (performance.now() - begunMs));
      await page.getByText(`message ${count} of ${count}`).first().waitFor({ timeout: left });
      shownMs = performance.now() - begunMs;
    } catch (error) {
      progress(`burst: ${messageOf(error).split('\n')[0]}`);
    }
    const hostBytes = sumOf(treeOf(pid).filter((each) => commandOf(each) !== `${process.execPath} ${burstServer}`));
    const kept = await answered(keptIn(page), limitMs / 2);
    const heap = await answered(collectedHeap(session), limitMs / 2);
    return {
      count,
      shownMs,
      kept: kept ?? Number.NaN,
      heapBytes: heap ?? Number.NaN,
      hostBytes,
      note: [
        ...(Number.isNaN(shownMs) ? [`given up after ${limitMs / 1000} s`] : []),
        ...(kept === undefined || heap === undefined ? ['the page does not answer any more'] : []),
      ].join('; '),
    };
  } finally {
    await close();
  }
}

/** How many different messages of the burst the page holds; it draws all of those that it has. */
async function keptIn(page: Page): Promise<number> {
  return page.evaluate(() => new Set(document.body.textContent?.match(/message \d+ of \d+/g) ?? []).size);
}

async function collectedHeap(session: CDPSession): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    await session.send('HeapProfiler.collectGarbage');
  }
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

/** What a page answers; undefined when it does not, or not within the limit: its thread has other work. */
async function answered(asked: Promise<number>, limitMs: number): Promise<number | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  try {
    return await Promise.race([asked.catch(() => undefined), limit]);
  } finally {
    clearTimeout(timer);
  }
}
