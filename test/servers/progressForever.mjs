// Reports progress and never answers. argv: milliseconds between reports, default 20.
import process from 'node:process';
import { send, serve } from './support/stdioServer.mjs';

serve({
  onCall: ({ params }) => {
    const progressToken = params?._meta?.progressToken;
    let progress = 0;
    setInterval(
      () => {
        progress += 1;
        send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress } });
      },
      Number(process.argv[2] ?? 20),
    );
  },
});
