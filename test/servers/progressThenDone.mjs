// Reports progress before it answers. argv: how often, default 3; milliseconds between, default 50.
import process from 'node:process';
import { send, serve, textResult } from './support/stdioServer.mjs';

const [, , times = '3', everyMs = '50'] = process.argv;
serve({
  onCall: ({ id, params }) => {
    let progress = 0;
    const timer = setInterval(() => {
      progress += 1;
      const progressToken = params?._meta?.progressToken;
      send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress } });
      if (progress === Number(times)) {
        clearInterval(timer);
        send(textResult(id, 'done'));
      }
    }, Number(everyMs));
  },
});
