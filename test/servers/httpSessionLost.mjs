// Loses its session before each call until `initialize` comes again without one. Option `how`: "404" (default), "400" as
// servers on the TypeScript SDK answer, "404-json" with an error that names nothing, "404-named" with one that names the
// request and not the session, "always" to lose the next one too.
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
      const refuse = (status, error, named = {}) => answerJson(response, { jsonrpc: '2.0', ...named, error }, status);
      if (initialized > 1 && how !== 'always') {
        answerJson(response, textResult(id, 'done'));
        return;
      }
      switch (how) {
        case '400':
          refuse(400, { code: -32000, message: 'Bad Request: No valid session ID provided' });
          break;
        case '404-json':
          refuse(404, { code: -32001, message: 'Session not found' }, { id: null });
          break;
        case '404-named':
          refuse(404, { code: -32001, message: 'Not found' }, { id });
          break;
        default:
          response.writeHead(404, { 'content-type': 'text/plain' }).end('Session not found');
      }
    },
  });
}

runAsScript(import.meta.url, start);
