import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { animatedPng } from '../../tools/docs/apng.ts';
import { inRoot } from '../../tools/lib/paths.mjs';
import { demoFolder } from '../host/demoWorkspace.ts';
import { openFile, openView, runCommand } from '../host/gestures.ts';
import { choosePolicy, confirmDialog, rowOf, timelineIn } from '../host/timeline.ts';
import { openWorkbench, type Workbench } from '../host/workbench.ts';
import { settled, tellStory } from './story.ts';

const folder = inRoot('docs', 'images');

/** Small, since every frame is a whole picture. */
const animated = { width: 1180, height: 760 };
/** The editor is 1200 px wide when the side bar is closed. */
const still = { width: 1252, height: 820 };

/** Takes every picture that README and docs show, and tells of each. Rejects when VS Code does not show what it should. */
export async function takePictures(note: (text: string) => void): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const save = (name: string, png: Uint8Array) => {
    writeFileSync(path.join(folder, name), png);
    note(`docs/images/${name} ${png.length} bytes`);
  };
  const workbench = await openWorkbench({ folder: demoFolder, viewport: animated });
  try {
    save('demo.png', animatedPng(await tellStory(workbench)));
    await workbench.page.setViewportSize(still);
    for (const [name, take] of Object.entries(stills)) {
      save(`${name}.png`, await take(workbench));
    }
  } catch (error) {
    note(`What VS Code showed: ${await workbench.screenshot('pictures-failed')}`);
    throw error;
  } finally {
    await workbench.close();
  }
}

type Take = (workbench: Workbench) => Promise<Uint8Array>;

/** By the name of the picture; each begins where the one before has ended. */
const stills: Readonly<Record<string, Take>> = {
  lint: async (workbench) => {
    await openFile(workbench, 'server.py');
    await workbench.page.locator('.codelens-decoration').first().waitFor();
    return shoot(workbench);
  },
  timeline: async (workbench) => {
    await runCommand(workbench, 'Faultline: Open Timeline in Editor');
    const timeline = await timelineIn(workbench, 'editor');
    await rowOf(timeline, /get_author.*silent error/).click();
    await timeline.getByText('so the model takes this text for the answer').waitFor();
    return shoot(workbench);
  },
  overview: async (workbench) => {
    const timeline = await timelineIn(workbench, 'editor');
    await runCommand(workbench, 'Faultline: Toggle Lanes by Server');
    await timeline.locator('.lane', { hasText: 'bookshop-http' }).waitFor();
    await runCommand(workbench, 'Faultline: Toggle Charts');
    await timeline.locator('#chart-latency .bar').first().waitFor();
    const png = await shoot(workbench);
    await timeline.locator('#toggle-lanes').click();
    await timeline.locator('#toggle-charts').click();
    await timeline.locator('.chart').first().waitFor({ state: 'detached' });
    return png;
  },
  policy: async (workbench) => {
    await rowOf(await timelineIn(workbench, 'editor'), /order_book.*tool error/).click();
    await runCommand(workbench, 'Faultline: Replay with Backoff');
    await workbench.page
      .locator('.quick-input-list')
      .getByRole('option', { name: /^As Configured/ })
      .waitFor();
    return shoot(workbench);
  },
  question: async (workbench) => {
    await choosePolicy(workbench);
    await workbench.page.locator('.monaco-dialog-box').waitFor();
    const png = await shoot(workbench);
    await confirmDialog(workbench, 'Cancel');
    return png;
  },
  sidebar: async (workbench) => {
    await openView(workbench, 'Faultline');
    const timeline = await timelineIn(workbench, 'sidebar');
    await rowOf(timeline, 'search_books').waitFor();
    // What is said of a view while the pointer is on its icon would lie over it.
    await workbench.page.mouse.move(still.width / 2, still.height / 2);
    await workbench.page.locator('.monaco-hover:visible').first().waitFor({ state: 'detached' });
    await settled(workbench.page);
    return workbench.page.locator('.part.sidebar').screenshot();
  },
};

async function shoot({ page }: Workbench): Promise<Uint8Array> {
  await settled(page);
  return page.screenshot({ caret: 'hide' });
}
