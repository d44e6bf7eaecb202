// Meets the first call with the fault that argv names, and answers all others, also after it was started again. argv 2: a file
// that remembers that the first call was.
import { existsSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { send, serve, textResult, write } from './support/stdioServer.mjs';

const [, , fault = 'exit', marker = ''] = process.argv;
const faults = {
  exit: () => process.exit(3),
  'killed by a signal': () => process.kill(process.pid, 'SIGKILL'),
  'no answer': () => undefined,
  'half an answer, then exit': async ({ id }) => {
    await write(`{"jsonrpc":"2.0","id":${id},"resu`);
    process.exit(0);
  },
  'answer without jsonrpc': ({ id }) => send({ id, result: textResult(id, 'x').result }),
  'result and error at once': ({ id }) => send({ ...textResult(id, 'x'), error: { code: 1, message: 'x' } }),
  'error that names no request': () =>
    send({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }),
  'answer to another id': () => send(textResult('nobody', 'x')),
  'answer with the id as text': ({ id }) => send(textResult(String(id), 'done')),
  'answer in a batch': ({ id }) => send([textResult(id, 'done')]),
  'noise before the answer': async ({ id }) => {
    await write('Server listening on 3000\n');
    await send(textResult(id, 'done'));
  },
  'error -32603': ({ id }) => send({ jsonrpc: '2.0', id, error: { code: -32603, message: 'Internal error' } }),
  'error -32602': ({ id }) => send({ jsonrpc: '2.0', id, error: { code: -32602, message: 'Invalid params' } }),
  'tool error': ({ id }) =>
    send({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'no disk' }], isError: true } }),
};
serve({
  onCall: (call) => {
    if (existsSync(marker)) {
      send(textResult(call.id, 'done'));
    } else {
      writeFileSync(marker, '');
      faults[fault]?.(call);
    }
  },
});
