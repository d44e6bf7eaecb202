import { openView } from '../../vscode/host/gestures.ts';
import { type Home, openHome, type Workbench } from '../../vscode/host/workbench.ts';
import { pageFrame, VIEWPORT } from './prepared.ts';

declare global {
  interface Window {
    /** Wall time, ms, of the last press of a button of the mouse, and of the first frames with the page's document and with rows. */
    faultlinePressed?: number;
    faultlineDocument?: number;
    faultlineRows?: number;
  }
}

/** Notes in each frame when a person has pressed, and when rows were first painted. */
function watch(): void {
  const now = () => performance.timeOrigin + performance.now();
  window.addEventListener(
    'pointerdown',
    (event) => {
      window.faultlinePressed = performance.timeOrigin + event.timeStamp;
    },
    true,
  );
  // VS Code writes the page's document into a frame of a frame, which loses what was in it before: the frame around it looks.
  const isThere = (selector: string) =>
    [...document.querySelectorAll('iframe')].some(
      (frame) => (frame.contentDocument?.querySelector(selector) ?? null) !== null,
    );
  const look = () => {
    if (window.faultlineDocument === undefined && isThere('body[data-placement]')) {
      window.faultlineDocument = now();
    }
    if (isThere('.row:not(.is-loading)')) {
      // The frame that shows them has been painted when the next task runs.
      requestAnimationFrame(() => setTimeout(() => (window.faultlineRows = now())));
    } else {
      requestAnimationFrame(look);
    }
  };
  if (window.parent === window.top && window !== window.top) {
    requestAnimationFrame(look);
  }
}

export interface Opened {
  /** From the click to the first rows on the screen, ms. */
  readonly sinceClick: number;
  /** From VS Code having given the page its document to the first rows on the screen, ms. */
  readonly sinceDocument: number;
}

/** Opens a window on the home and resolves when VS Code has come to rest, with nothing of ours opened. */
export async function openWindow(home: Home): Promise<Workbench> {
  const workbench = await openHome(home, { viewport: VIEWPORT });
  await workbench.page.context().addInitScript(watch);
  await workbench.page.reload();
  await workbench.page.locator('.monaco-workbench .part.statusbar').waitFor();
  await workbench.page.waitForLoadState('networkidle');
  return workbench;
}

/** Clicks on the view and waits for its first rows. */
export async function openRows(workbench: Workbench): Promise<Opened> {
  await openView(workbench, 'Faultline');
  const around = (await pageFrame(workbench)).parentFrame();
  const rows = (await (await around?.waitForFunction(() => window.faultlineRows))?.jsonValue()) ?? Number.NaN;
  const document = (await around?.evaluate(() => window.faultlineDocument)) ?? Number.NaN;
  const pressed = (await workbench.page.evaluate(() => window.faultlinePressed)) ?? Number.NaN;
  return { sinceClick: rows - pressed, sinceDocument: rows - document };
}
