// @ts-check
// `npm run package`: the extension as it is published, faultline-X.Y.Z.vsix in out/package. `-- --update` writes the list of what
// is in it anew, `-- --twice` builds and packs twice and fails unless the bytes are the same.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bootstrap, say } from '../lib/bootstrap.mjs';

await bootstrap(fileURLToPath(import.meta.url), async (args) => {
  const { buildInto, extensionTo } = await import('./artifacts.mjs');
  const { inRoot } = await import('../lib/paths.mjs');
  const unknown = args.filter((arg) => !['--update', '--twice'].includes(arg));
  if (unknown.length > 0) {
    say('Usage: npm run package [-- --update] [-- --twice]');
    return 2;
  }
  const pack = async (/** @type {string} */ folder, update = false) =>
    extensionTo(await buildInto(folder, say), folder, { update }, say);
  const file = await pack(inRoot('out', 'package'), args.includes('--update'));
  if (args.includes('--twice')) {
    const again = await pack(inRoot('out', 'package', 'again'));
    if (!fs.readFileSync(file).equals(fs.readFileSync(again))) {
      say(`${path.relative(inRoot(), again)} has other bytes than ${path.relative(inRoot(), file)}`);
      return 1;
    }
    say('the same bytes twice');
  }
  return 0;
});
