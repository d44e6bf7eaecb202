// Exits when the first request is not `initialize`, as servers on the Rust SDK do. argv: "always" to exit on that too.
import process from 'node:process';
import { serve } from './support/stdioServer.mjs';

let isOpen = false;
serve({
  onRequest: ({ method }) => {
    if ((method !== 'initialize' && !isOpen) || process.argv[2] === 'always') {
      process.stderr.write('expected initialize\n', () => process.exit(1));
      return true;
    }
    isOpen = true;
    return false;
  },
});
