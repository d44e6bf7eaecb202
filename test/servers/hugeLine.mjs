// Answers calls with a text of the given size in MiB. argv: the size, default 12. Then it answers as usual.
import process from 'node:process';
import { send, serve, textResult } from './support/stdioServer.mjs';

const mebibyte = 'x'.repeat(1024 * 1024);
let isFirst = true;
serve({
  onCall: ({ id }) => {
    send(textResult(id, isFirst ? mebibyte.repeat(Number(process.argv[2] ?? 12)) : 'done'));
    isFirst = false;
  },
});
