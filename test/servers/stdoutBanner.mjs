// Prints a banner and a line of a JSON logger on stdout before the first answer, and a log line within each call.
import { send, serve, textResult, write } from './support/stdioServer.mjs';

write('Server listening on 3000\n\n{"level":"info","id":1,"msg":"ready"}\n');
serve({
  onCall: async ({ id }) => {
    await write('Executing work\r\n');
    await send(textResult(id, 'done'));
  },
});
