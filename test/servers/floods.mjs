// Writes to stdout without end for as long as its stdin is open, and answers each line on stderr by how many bytes of it
// were taken.
import process from 'node:process';

const chunk = Buffer.from(`${'x'.repeat(65_535)}\n`);
let taken = 0;
let isOpen = true;

function flood() {
  if (isOpen) {
    process.stdout.write(chunk, () => {
      taken += chunk.length;
      flood();
    });
  }
}

process.stdin.on('data', (lines) => {
  for (const byte of lines) {
    if (byte === 10) {
      process.stderr.write(`${taken}\n`);
    }
  }
});
process.stdin.on('end', () => {
  isOpen = false;
});
flood();
