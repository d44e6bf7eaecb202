// Answers calls without the `jsonrpc` member.
import { send, serve, textResult } from './support/stdioServer.mjs';

serve({
  onCall: ({ id }) => {
    const { result } = textResult(id, 'done');
    send({ id, result });
  },
});
