// Writes the bytes of a seed to stdout, whatever it reads, and at the end of stdin a digest of what it read to stderr:
// `anyBytes.mjs SEED`.
import { createHash } from 'node:crypto';
import process from 'node:process';
import { anyBytes } from '../integration/passthrough/anyBytes.ts';

const hash = createHash('sha256');
process.stdin.on('data', (chunk) => hash.update(chunk));
process.stdin.on('end', () => process.stderr.write(`${hash.digest('hex')}\n`));
for (const chunk of anyBytes(Number(process.argv[2]))) {
  if (!process.stdout.write(chunk)) {
    await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
}
