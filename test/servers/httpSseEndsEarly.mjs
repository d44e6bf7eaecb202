// Opens an SSE stream for each call and ends it before the answer. Option `how`: "end" (default), "reset" to drop the
// connection, "resume" to end after a priming event and answer the GET that resumes, "resume-refused" to answer that GET
// with 404.
import { listen, openSse, runAsScript, textResult } from './support/httpServer.mjs';

const progress =
  'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}\n\n';

export function start({ how = 'end' } = {}) {
  let pending;
  return listen({
    onCall: ({ id }, response) => {
      openSse(response);
      switch (how) {
        case 'reset':
          response.write(progress, () => response.socket?.resetAndDestroy());
          break;
        case 'resume':
        case 'resume-refused':
          pending = id;
          response.end('id: 5\nretry: 10\ndata:\n\n');
          break;
        default:
          response.end(progress);
      }
    },
    onGet: (request, response) => {
      if (request.headers['last-event-id'] === undefined) {
        return false;
      }
      if (how === 'resume-refused') {
        response.writeHead(404).end('gone');
        return true;
      }
      openSse(response);
      response.end(`id: 6\ndata: ${JSON.stringify(textResult(pending, 'resumed'))}\n\n`);
      return true;
    },
  });
}

runAsScript(import.meta.url, start);
