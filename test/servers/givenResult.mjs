// Answers every call with the result that argv holds as JSON; argv 3 is the `outputSchema` of its tool, if any.
import process from 'node:process';
import { send, serve } from './support/stdioServer.mjs';

const result = JSON.parse(process.argv[2] ?? '{}');
const outputSchema = process.argv[3] === undefined ? {} : { outputSchema: JSON.parse(process.argv[3]) };
serve({
  onRequest: ({ id, method }) => {
    if (method !== 'tools/list') {
      return false;
    }
    send({
      jsonrpc: '2.0',
      id,
      result: { tools: [{ name: 'work', inputSchema: { type: 'object' }, ...outputSchema }] },
    });
    return true;
  },
  onCall: ({ id }) => send({ jsonrpc: '2.0', id, result }),
});
