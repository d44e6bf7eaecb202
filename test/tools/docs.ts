/** `npm run docs`: writes the pages that are made from the manifest and from the help of the command line. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { generatedPages } from './docs/generated.ts';
import { root } from './docs/manifest.ts';

for (const { file, write } of generatedPages) {
  writeFileSync(path.join(root, file), write());
  process.stderr.write(`${file}\n`);
}
