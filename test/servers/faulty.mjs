// Meets one call in twenty with a fault, in turn: an exit, silence, an answer without `jsonrpc`, an error, both a result and an
// error, a tool error, an id that nobody asked with. argv: where in the turn to begin.
import process from 'node:process';
import { send, serve, textResult } from './support/stdioServer.mjs';

let calls = 0;
let fault = Number(process.argv[2] ?? 0);
const faults = [
  () => process.exit(3),
  () => undefined,
  (id) => send({ id, result: textResult(id, 'done').result }),
  (id) => send({ jsonrpc: '2.0', id, error: { code: -32603, message: 'injected' } }),
  (id) => send({ ...textResult(id, 'done'), error: { code: 1, message: 'injected' } }),
  (id) => send({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'injected' }], isError: true } }),
  () => send(textResult('nobody', 'stray')),
];
serve({
  onCall: ({ id }) => {
    calls += 1;
    if (calls % 20 === 0) {
      fault += 1;
      faults[fault % faults.length]?.(id);
    } else {
      send(textResult(id, 'done'));
    }
  },
});
