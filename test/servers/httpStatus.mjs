// Answers calls with a chosen status. Options: `status` (default 503), `retryAfter` for the header, `body` and `type` of
// the answer, `times`: how often, before calls succeed (default: for ever), `session`: "none" to have no sessions.
import { answerJson, listen, runAsScript, textResult } from './support/httpServer.mjs';

export function start({
  status = 503,
  retryAfter = '',
  body = 'try later',
  type = 'text/plain',
  times = '',
  session = '',
} = {}) {
  let left = times === '' ? Number.POSITIVE_INFINITY : Number(times);
  return listen({
    hasSession: session !== 'none',
    onCall: ({ id }, response) => {
      if (left <= 0) {
        answerJson(response, textResult(id, 'done'));
        return;
      }
      left -= 1;
      response.writeHead(Number(status), {
        'content-type': type,
        ...(retryAfter === '' ? {} : { 'retry-after': String(retryAfter) }),
      });
      response.end(body);
    },
  });
}

runAsScript(import.meta.url, start);
