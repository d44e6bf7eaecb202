// Meets the first call with the fault that the option `fault` names, and answers all others.
import { answerJson, listen, openSse, runAsScript, textResult } from './support/httpServer.mjs';

const status =
  (code, headers = {}) =>
  (_call, response) =>
    response.writeHead(code, { 'content-type': 'text/plain', ...headers }).end('sorry');
const error = (code, httpStatus, message, id) => (call, response) =>
  answerJson(response, { jsonrpc: '2.0', id: id === undefined ? call.id : id, error: { code, message } }, httpStatus);
const faults = {
  'connection reset': (_call, response) => response.socket?.resetAndDestroy(),
  'no answer': () => undefined,
  'stream that ends early': (_call, response) => {
    openSse(response);
    response.end(': hello\n\n');
  },
  '202 and nothing else': (_call, response) => response.writeHead(202).end(),
  'a page': (_call, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in</p>'),
  'broken JSON': (_call, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":"2.0",'),
  'HTTP 401': status(401),
  'HTTP 403': status(403),
  'HTTP 404, session gone': status(404),
  'HTTP 400, session gone': error(-32000, 400, 'Bad Request: No valid session ID provided', null),
  'HTTP 429, Retry-After': status(429, { 'retry-after': '0.1' }),
  'HTTP 429': status(429),
  'HTTP 500': status(500),
  'HTTP 502': status(502),
  'HTTP 503, Retry-After': status(503, { 'retry-after': '0.1' }),
  'HTTP 503': status(503),
  'HTTP 504': status(504),
  'error -32603': error(-32603, 200, 'Internal error'),
  'error -32602': error(-32602, 200, 'Invalid params'),
  'error that names no request': error(-32700, 400, 'Parse error', null),
  'tool error': ({ id }, response) =>
    answerJson(response, {
      jsonrpc: '2.0',
      id,
      result: { content: [{ type: 'text', text: 'no disk' }], isError: true },
    }),
};

export function start({ fault = 'HTTP 503' } = {}) {
  let isFirst = true;
  return listen({
    onCall: (call, response) => {
      if (isFirst) {
        isFirst = false;
        faults[fault]?.(call, response);
      } else {
        answerJson(response, textResult(call.id, 'done'));
      }
    },
  });
}

export const FAULTS = Object.keys(faults);

runAsScript(import.meta.url, start);
