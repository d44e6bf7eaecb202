// Writes numbered lines to stderr within each call and exits. argv: how many, default 100.
import process from 'node:process';
import { serve } from './support/stdioServer.mjs';

serve({
  onCall: () => {
    const lines = Array.from({ length: Number(process.argv[2] ?? 100) }, (_, index) => `line ${index + 1}\n`);
    process.stderr.write(lines.join(''), () => process.exit(1));
  },
});
