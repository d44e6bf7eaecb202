// Answers every call with "done". Option `as`: "json" (default) or "sse".
import { answerJson, listen, openSse, runAsScript, textResult } from './support/httpServer.mjs';

export function start({ as = 'json' } = {}) {
  return listen({
    onCall: ({ id }, response) => {
      if (as === 'json') {
        answerJson(response, textResult(id, 'done'));
        return;
      }
      openSse(response);
      response.end(`: hello\n\nevent: message\ndata: ${JSON.stringify(textResult(id, 'done'))}\n\n`);
    },
  });
}

runAsScript(import.meta.url, start);
