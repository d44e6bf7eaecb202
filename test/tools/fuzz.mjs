// A million changed frames, and a million requests that nobody answers: `npm run fuzz [seed]`.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const seed = process.argv[2] ?? String(Math.trunc(Date.now() / 1000));
const vitest = path.resolve(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');
const files = ['test/unit/fuzz', 'test/unit/core/classify/bounds.test.ts'];
process.stdout.write(`seed ${seed}\n`);
const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'unit', ...files], {
  stdio: 'inherit',
  env: { ...process.env, FAULTLINE_FUZZ: '1000000', FAULTLINE_FUZZ_SEED: seed },
});
process.exitCode = status ?? 1;
