// Writes a line of argv MiB (default 70) without a line end within each call, then ends it and answers.
import process from 'node:process';
import { send, serve, textResult, write } from './support/stdioServer.mjs';

const mebibyte = Buffer.alloc(1024 * 1024, 'x');
serve({
  onCall: async ({ id }) => {
    for (let written = 0; written < Number(process.argv[2] ?? 70); written += 1) {
      await write(mebibyte);
    }
    await write('\n');
    await send(textResult(id, 'done'));
  },
});
