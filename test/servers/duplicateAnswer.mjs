// Answers each call twice, with different texts.
import { send, serve, textResult } from './support/stdioServer.mjs';

serve({
  onCall: ({ id }) => {
    send(textResult(id, 'first'));
    send(textResult(id, 'second'));
  },
});
