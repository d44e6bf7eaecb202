import process from 'node:process';
import { packExtension } from '../../tools/lib/build.mjs';
import { ensureChromium } from '../../tools/lib/chromium.mjs';
import { vscodeReleases } from '../../tools/lib/versions.mjs';
import { ensureVscodeServer } from '../../tools/lib/vscodeServer.mjs';

/** Before all UI tests: what they install, and what they run it in. */
export async function setup(): Promise<void> {
  const note = (text: string) => process.stderr.write(`${text}\n`);
  const servers = vscodeReleases.map((release) => ensureVscodeServer(release, note));
  await Promise.all([packExtension(note), ...servers, ensureChromium(note)]);
}
