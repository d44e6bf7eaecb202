// Has a tool that only runs as a task (2025-11-25): working when asked for the first time, then done, its result to be fetched.
import { send, serve, textResult } from './support/stdioServer.mjs';

let asked = 0;
const task = (status) => ({
  taskId: 't1',
  status,
  createdAt: '2026-11-30T00:00:00Z',
  lastUpdatedAt: '2026-11-30T00:00:00Z',
  ttl: 60_000,
  pollInterval: 100,
});
serve({
  onRequest: ({ id, method, params }) => {
    switch (method) {
      case 'tools/list': {
        const tools = [{ name: 'work', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }];
        send({ jsonrpc: '2.0', id, result: { tools } });
        return true;
      }
      case 'tools/call':
        send(
          params.task === undefined
            ? { jsonrpc: '2.0', id, error: { code: -32601, message: 'Tool work requires task augmentation' } }
            : { jsonrpc: '2.0', id, result: { task: task('working') } },
        );
        return true;
      case 'tasks/get':
        asked += 1;
        send({ jsonrpc: '2.0', id, result: task(asked < 2 ? 'working' : 'completed') });
        return true;
      case 'tasks/result':
        send(textResult(id, 'done'));
        return true;
      default:
        return false;
    }
  },
});
