// Never answers a call. Tells on stderr which calls were cancelled.
import process from 'node:process';
import { serve } from './support/stdioServer.mjs';

serve({
  onCall: () => undefined,
  onNotification: ({ method, params }) => {
    if (method === 'notifications/cancelled') {
      process.stderr.write(`cancelled ${JSON.stringify(params.requestId)}\n`);
    }
  },
});
