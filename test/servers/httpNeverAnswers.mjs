// Takes calls and never answers. Option `after`: "headers" to send those of an SSE stream first.
import { listen, openSse, runAsScript } from './support/httpServer.mjs';

export function start({ after = '' } = {}) {
  return listen({
    onCall: (_call, response) => {
      if (after === 'headers') {
        openSse(response);
      }
    },
  });
}

runAsScript(import.meta.url, start);
