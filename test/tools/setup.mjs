// @ts-check
// Fetches what the tests inside VS Code need, into .vscode-test/. `npm test` runs it beside its first stages.
import { fileURLToPath } from 'node:url';
import { bootstrap, say } from './lib/bootstrap.mjs';
import { ensureChromium } from './lib/chromium.mjs';
import { newestVscode, oldestVscode } from './lib/versions.mjs';
import { ensureVscodeServer } from './lib/vscodeServer.mjs';

await bootstrap(fileURLToPath(import.meta.url), async () => {
  const begun = Date.now();
  const note = (/** @type {string} */ text) => say(`[${((Date.now() - begun) / 1000).toFixed(1)} s] ${text}`);
  await Promise.all([
    ensureChromium(note),
    ensureVscodeServer(oldestVscode, note).then(() => ensureVscodeServer(newestVscode, note)),
  ]);
  note('VS Code and browser are there');
  return 0;
});
