// Answers a call only after it has been cancelled. argv: "error" for an error with code 0 instead of a result.
import process from 'node:process';
import { send, serve, textResult } from './support/stdioServer.mjs';

serve({
  onCall: () => undefined,
  onNotification: ({ method, params }) => {
    if (method === 'notifications/cancelled') {
      const id = params.requestId;
      send(
        process.argv[2] === 'error'
          ? { jsonrpc: '2.0', id, error: { code: 0, message: 'cancelled' } }
          : textResult(id, 'late'),
      );
    }
  },
});
