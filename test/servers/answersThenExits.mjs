// Answers a call with 1 MiB and exits at once: the last message must not be lost.
import process from 'node:process';
import { send, serve, textResult } from './support/stdioServer.mjs';

serve({
  onCall: async ({ id }) => {
    await send(textResult(id, 'x'.repeat(1024 * 1024)));
    process.exit(0);
  },
});
