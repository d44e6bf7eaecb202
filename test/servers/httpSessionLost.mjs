// Loses its session before each call until `initialize` comes again without one. Option `how`: "404" (default), "400" as
// servers on the TypeScript SDK answer.
import { answerJson, listen, runAsScript, textResult } from './support/httpServer.mjs';

export function start({ how = '404' } = {}) {
  let initialized = 0;
  return listen({
    onPost: (message) => {
      if (message.method === 'initialize') {
        initialized += 1;
      }
      return false;
    },
    onCall: ({ id }, response) => {
      if (initialized > 1) {
        answerJson(response, textResult(id, 'done'));
      } else if (how === '404') {
        response.writeHead(404, { 'content-type': 'text/plain' }).end('Session not found');
      } else {
        const error = { code: -32000, message: 'Bad Request: No valid session ID provided' };
        answerJson(response, { jsonrpc: '2.0', error }, 400);
      }
    },
  });
}

runAsScript(import.meta.url, start);
