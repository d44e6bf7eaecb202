// A server of 2026-07-28 that ends the stream of a first call after an event id, and answers the next.
import { openSse, runAsScript } from './support/httpServer.mjs';
import { listenModern } from './support/modern.mjs';

export function start() {
  let calls = 0;
  return listenModern({
    onStream: ({ method }, response) => {
      calls += method === 'tools/call' ? 1 : 0;
      if (method !== 'tools/call' || calls > 1) {
        return false;
      }
      openSse(response);
      response.end('id: 5\nretry: 10\ndata:\n\n');
      return true;
    },
  });
}

runAsScript(import.meta.url, start);
