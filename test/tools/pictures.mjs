// @ts-check
// `npm run docs:pictures`: takes the pictures of README and docs anew, from the packed extension in a real VS Code.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { bootstrap, say } from './lib/bootstrap.mjs';

await bootstrap(fileURLToPath(import.meta.url), async () => {
  const { packExtension } = await import('./lib/build.mjs');
  await packExtension(say);
  const { takePictures } = await import('../vscode/pictures/takePictures.ts');
  await takePictures(say);
  return 0;
}).finally(() => {
  // A browser or server that failed to end must not keep the command from ending.
  process.exit();
});
