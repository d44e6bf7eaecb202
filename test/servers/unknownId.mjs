// Answers each call, and with it an id that nobody asked with.
import { send, serve, textResult } from './support/stdioServer.mjs';

serve({
  onCall: ({ id }) => {
    send(textResult('nobody', 'stray'));
    send(textResult(id, 'done'));
  },
});
