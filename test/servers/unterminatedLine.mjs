// Writes half an answer to a call and exits.
import process from 'node:process';
import { serve, write } from './support/stdioServer.mjs';

serve({
  onCall: async ({ id }) => {
    await write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"resu`);
    process.exit(0);
  },
});
