// Answers calls with a text that holds the byte 0xff, which UTF-8 never has.
import { serve, write } from './support/stdioServer.mjs';

serve({
  onCall: ({ id }) =>
    write(
      Buffer.concat([
        Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"a`),
        Buffer.from([0xff]),
        Buffer.from('b"}]}}\n'),
      ]),
    ),
});
