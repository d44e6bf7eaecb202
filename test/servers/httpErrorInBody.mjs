// Answers calls with a JSON-RPC error in an answer of a chosen status. Options: `status` (default 400), `code` (default
// -32602), `id`: "same" (default), "null", "absent" or "foreign", `message`.
import { answerJson, listen, runAsScript } from './support/httpServer.mjs';

export function start({ status = 400, code = -32602, id = 'same', message = 'Bad Request' } = {}) {
  const ids = { null: { id: null }, absent: {}, foreign: { id: 'server-error' } };
  return listen({
    onCall: (call, response) => {
      const error = { code: Number(code), message };
      answerJson(response, { jsonrpc: '2.0', ...(ids[id] ?? { id: call.id }), error }, Number(status), {
        'retry-after': '7',
      });
    },
  });
}

runAsScript(import.meta.url, start);
