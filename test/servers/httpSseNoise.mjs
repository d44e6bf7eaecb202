// Answers calls over SSE, after frames that are no messages: not JSON, JSON of another kind, an unknown event type.
import { listen, openSse, runAsScript, textResult } from './support/httpServer.mjs';

export function start() {
  return listen({
    onCall: ({ id }, response) => {
      openSse(response);
      response.write(': keep-alive\n\ndata: hello\n\ndata: {"level":"info"}\n\nevent: ping\ndata: {}\n\n');
      response.end(`data: ${JSON.stringify(textResult(id, 'done'))}\n\n`);
    },
  });
}

runAsScript(import.meta.url, start);
