// @ts-check
// `npm run package:cli`: the command line as npm has it, faultline-X.Y.Z.tgz in out/package.
import { fileURLToPath } from 'node:url';
import { bootstrap, say } from '../lib/bootstrap.mjs';

await bootstrap(fileURLToPath(import.meta.url), async () => {
  const { buildInto, cliTo } = await import('./artifacts.mjs');
  const { inRoot } = await import('../lib/paths.mjs');
  const folder = inRoot('out', 'package');
  await cliTo(await buildInto(folder, say), folder, say);
  return 0;
});
