import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import Mocha from 'mocha';

const testTimeoutMs = 60_000;

/** Called by VS Code in the extension host: runs every `*.test.js` beside this file and writes down the counts. */
export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: testTimeoutMs, forbidOnly: true, forbidPending: true });
  for (const file of readdirSync(__dirname).filter((name) => name.endsWith('.test.js'))) {
    mocha.addFile(path.join(__dirname, file));
  }
  const stats = await new Promise<Mocha.Stats | undefined>((resolve) => {
    const runner = mocha.run(() => resolve(runner.stats));
  });
  const counts = { passed: stats?.passes ?? 0, failed: stats?.failures ?? 0, skipped: stats?.pending ?? 0 };
  const { FAULTLINE_API_RESULT: resultFile } = process.env;
  if (resultFile !== undefined) {
    writeFileSync(resultFile, JSON.stringify(counts));
  }
  if (counts.failed > 0 || counts.passed === 0) {
    throw new Error(`${counts.passed} passed, ${counts.failed} failed`);
  }
}
