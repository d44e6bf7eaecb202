import type { CDPSession, Frame, Page } from 'playwright-core';
import { openView, until } from '../../vscode/host/gestures.ts';
import type { Workbench } from '../../vscode/host/workbench.ts';
import { median, progress } from '../bench.ts';
import { openRows } from './openRows.ts';
import { pageFrame } from './prepared.ts';

/** A notch of a wheel is this far; at one notch a frame two rows go by in each. */
const NOTCH_PX = 100;
const SCROLL_FRAMES = 400;
/** Between two jumps over the whole log, as by dragging the scroll bar. */
const FRAMES_A_JUMP = 40;

/** Filters that are typed letter by letter; each letter changes which rows pass. */
const TYPED = ['se', 'cr', 'ch', 'tool:get_order -is:failure', 'is:failure', 'ms<2'];

/** A key, and the number of rows before it. Resolves with ms from the key to the frame in which other rows stand on the screen. */
async function keystrokeMs(page: Page, frame: Frame, key: string): Promise<number | undefined> {
  await frame.evaluate(() => {
    const grid = document.querySelector('#grid');
    const before = grid?.getAttribute('aria-rowcount');
    window.faultlineKeystroke = new Promise((resolve) => {
      document.addEventListener(
        'keydown',
        (event) => {
          // Asked when a frame has been painted: in a callback of the frame, one of the page may come after it and render.
          const afterFrame = () => requestAnimationFrame(() => setTimeout(look));
          const look = () => {
            const ms = performance.now() - event.timeStamp;
            const isNew = grid?.getAttribute('aria-rowcount') !== before;
            if (isNew && document.querySelector('.row.is-loading') === null) {
              resolve(ms);
            } else if (ms > 3000) {
              resolve(undefined);
            } else {
              afterFrame();
            }
          };
          afterFrame();
        },
        { once: true, capture: true },
      );
    });
  });
  await page.keyboard.press(key === ' ' ? 'Space' : key);
  return frame.evaluate(() => window.faultlineKeystroke);
}

/** The time from a keystroke in the filter to its rows on the screen: the median of those that change what is shown, ms. */
export async function filterMs(workbench: Workbench): Promise<number> {
  const { page } = workbench;
  const frame = await pageFrame(workbench);
  const field = frame.locator('#filter');
  const times: number[] = [];
  const told: string[] = [];
  for (const text of TYPED) {
    await field.fill('');
    await field.focus();
    await frame.waitForFunction(() => document.querySelector('.row.is-loading') === null);
    for (const [index, key] of [...text].entries()) {
      const ms = await keystrokeMs(page, frame, key);
      if (ms !== undefined) {
        times.push(ms);
        told.push(`${text.slice(0, index + 1)} ${Math.round(ms)}`);
      }
      // A person who looks at the rows, and the search of messages that follows.
      await page.waitForTimeout(700);
    }
  }
  await field.fill('');
  progress(`filter, ms: ${told.join(' · ')}`);
  if (times.length < 5) {
    throw new Error('too few keystrokes have changed the rows');
  }
  return median(times);
}

export interface Scrolled {
  readonly p99: number;
  readonly median: number;
  /** Of 100 frames, those in which a row was not there yet. */
  readonly emptyPercent: number;
}

/** The time between frames while the list is scrolled by the wheel, and now and then over all of it, ms. */
export async function scrolled(workbench: Workbench): Promise<Scrolled> {
  const { page } = workbench;
  const frame = await pageFrame(workbench);
  const box = await frame.locator('#grid').boundingBox();
  await page.mouse.move((box?.x ?? 0) + 100, (box?.y ?? 0) + 200);
  await page.mouse.wheel(0, -NOTCH_PX);
  await frame.evaluate(
    ([frames, jump]) => {
      window.faultlineFrames = new Promise((resolve) => {
        const deltas: number[] = [];
        const grid = document.querySelector('#grid');
        let [before, empty] = [performance.now(), 0];
        const next = (now: number) => {
          deltas.push(now - before);
          before = now;
          empty += document.querySelector('.row.is-loading') === null ? 0 : 1;
          if (deltas.length === frames) {
            resolve({ deltas, empty });
            return;
          }
          if (deltas.length % (jump ?? 1) === 0 && grid !== null) {
            grid.scrollTop = ((deltas.length * 7919) % 100) * 0.01 * grid.scrollHeight;
          }
          requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      });
    },
    [SCROLL_FRAMES, FRAMES_A_JUMP],
  );
  let isOver = false;
  const result = frame
    .evaluate(() => window.faultlineFrames)
    .finally(() => {
      isOver = true;
    });
  while (!isOver) {
    await page.mouse.wheel(0, -NOTCH_PX);
  }
  const { deltas, empty } = (await result) ?? { deltas: [], empty: 0 };
  const sorted = deltas.slice(1).sort((a, b) => a - b);
  return {
    p99: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN,
    median: median(sorted),
    emptyPercent: (100 * empty) / deltas.length,
  };
}

/** The bytes of the heap that go when the view is closed and come when it is shown again: the webview shares one with the workbench. */
export async function heapBytes(workbench: Workbench): Promise<number> {
  const session = await workbench.page.context().newCDPSession(workbench.page);
  const differences: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const withPage = await usedBytes(session);
    await openView(workbench, 'Explorer');
    await until(async () => (await workbench.page.locator('iframe.webview').count()) === 0, 'the view to be closed');
    const without = await usedBytes(session);
    differences.push(withPage - without);
    await openRows(workbench);
  }
  await session.detach();
  progress(`heap: ${differences.map((bytes) => (bytes / 1e6).toFixed(1)).join(', ')} MB`);
  return median(differences);
}

async function usedBytes(session: CDPSession): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    await session.send('HeapProfiler.collectGarbage');
  }
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

declare global {
  interface Window {
    faultlineKeystroke?: Promise<number | undefined>;
    faultlineFrames?: Promise<{ readonly deltas: number[]; readonly empty: number }>;
  }
}
