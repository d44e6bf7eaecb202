// A well-behaved server of 2026-07-28 over HTTP. Option `listen`: "drop" to end a subscription without an answer once.
import { runAsScript } from './support/httpServer.mjs';
import { listenModern } from './support/modern.mjs';

export function start({ listen = '' } = {}) {
  let listens = 0;
  return listenModern({
    capabilities: { tools: { listChanged: true } },
    onListen: (_notify, _message, response) => {
      listens += 1;
      if (listen === 'drop' && listens === 1) {
        response.end();
      }
    },
  });
}

runAsScript(import.meta.url, start);
