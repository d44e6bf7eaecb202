/** `npm run docs:links`: prints the external links of all Markdown, each with where it stands, for a person with a network. */
import process from 'node:process';
import { root } from './docs/manifest.ts';
import { externalLinks, readPages } from './docs/pages.ts';

for (const [address, places] of [...externalLinks(readPages(root))].sort(([a], [b]) => (a < b ? -1 : 1))) {
  process.stdout.write(`${address}\n  ${places.join('\n  ')}\n`);
}
