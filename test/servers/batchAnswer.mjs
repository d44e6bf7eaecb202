// Answers calls within a batch, beside a log notification. argv: "empty" to send an empty batch before it.
import process from 'node:process';
import { send, serve, textResult } from './support/stdioServer.mjs';

serve({
  onCall: ({ id }) => {
    if (process.argv[2] === 'empty') {
      send([]);
    }
    send([
      textResult(id, 'done'),
      { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } },
    ]);
  },
});
