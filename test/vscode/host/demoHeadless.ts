import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { Page } from 'playwright-core';
import { demoSteps } from '../../../src/demo/steps.ts';
import { packExtension } from '../../tools/lib/build.mjs';
import { demoEnv, demoFolder } from './demoWorkspace.ts';
import { until } from './gestures.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

const demoLimitMs = 120_000;
const tailChars = 4000;

/** What the timeline shows. */
interface Shown {
  /** Rows by outcome. */
  readonly counts: ReadonlyMap<string, number>;
  /** Rows on screen whose content has not come yet. */
  readonly unloadedRows: number;
}

/**
 * Plays the demo in a headless browser until the timeline shows all that the demo's script foresees. Prints a line an
 * outcome with its count and saves test/out/start.png. Returns the exit code; on failure the logs' ends are printed.
 */
export async function playDemoHeadless(): Promise<number> {
  const note = (text: string) => process.stderr.write(`${text}\n`);
  await packExtension(note);
  const workbench = await openWorkbench({ folder: demoFolder, env: demoEnv });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void workbench.close().then(() => process.exit(130)));
  }
  let shown = nothingShown;
  try {
    await until(
      async () => {
        shown = await readTimeline(workbench.page);
        return missing(shown).length === 0;
      },
      'the timeline to show the whole demo',
      demoLimitMs,
    );
    for (const [outcome, count] of shown.counts) {
      process.stdout.write(`${outcome} ${count}\n`);
    }
    note(`Screenshot: ${await workbench.screenshot('start')}`);
    return 0;
  } catch (error) {
    note(`${error instanceof Error ? error.message : String(error)}; missing: ${missing(shown).join(', ')}`);
    note(`Screenshot: ${await workbench.screenshot('start')}`);
    note(logTails(workbench));
    return 1;
  } finally {
    await workbench.close();
  }
}

const nothingShown: Shown = { counts: new Map(), unloadedRows: 0 };

/** Reads the timeline, whichever frame it is in. */
async function readTimeline(page: Page): Promise<Shown> {
  for (const frame of page.frames()) {
    const grids = await frame
      .locator('[role=grid]')
      .count()
      .catch(() => 0);
    if (grids > 0) {
      const pairs = await frame.locator('[data-outcome][aria-pressed]').evaluateAll((toggles) =>
        toggles.map((toggle): [string, number] => {
          const text = toggle.querySelector('b')?.textContent ?? '0';
          return [toggle.getAttribute('data-outcome') ?? '', Number(text.replace(/\D/g, ''))];
        }),
      );
      return { counts: new Map(pairs), unloadedRows: await frame.locator('.row.is-loading').count() };
    }
  }
  return nothingShown;
}

/** What the script foresees and the timeline does not show yet, as texts; also calls that are still waiting. */
function missing({ counts, unloadedRows }: Shown): readonly string[] {
  const foreseen = new Map<string, number>();
  for (const { expect } of demoSteps) {
    foreseen.set(expect, (foreseen.get(expect) ?? 0) + 1);
  }
  const pending = counts.get('pending') ?? 0;
  return [
    ...[...foreseen]
      .filter(([outcome, count]) => (counts.get(outcome) ?? 0) < count)
      .map(([outcome, count]) => `${outcome} ${counts.get(outcome) ?? 0} of ${count}`),
    ...(pending > 0 ? [`${pending} still pending`] : []),
    ...(unloadedRows > 0 ? [`${unloadedRows} rows without content`] : []),
  ];
}

/** The ends of the server's log and of the extension host's. */
function logTails({ server, userDataDir, errors }: Workbench): string {
  const logs = path.join(userDataDir, 'logs');
  const extensionLogs = readdirSync(logs, { recursive: true, encoding: 'utf8' })
    .filter((file) => /exthost.*\.log$|Faultline.*\.log$/.test(file))
    .map((file) => `── ${file} ──\n${readFileSync(path.join(logs, file), 'utf8').slice(-tailChars)}`);
  return ['── page ──', ...errors(), '── server ──', server.log().slice(-tailChars), ...extensionLogs].join('\n');
}
