// Answers calls with status 200 and JSON that breaks off. Option `body`.
import { listen, runAsScript } from './support/httpServer.mjs';

export function start({ body = '{"jsonrpc":"2.0","id":' } = {}) {
  return listen({
    onCall: (_call, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(body);
    },
  });
}

runAsScript(import.meta.url, start);
