// Makes a task of each call (extension of 2026-07-28), which is working when asked for the first time and done then.
import { complete, serveModern } from './support/modern.mjs';

let asked = 0;
const task = (status, more = {}) => ({
  resultType: status === 'new' ? 'task' : 'complete',
  taskId: 't1',
  status: status === 'new' ? 'working' : status,
  createdAt: '2026-11-30T00:00:00Z',
  lastUpdatedAt: '2026-11-30T00:00:00Z',
  ttlMs: 60_000,
  pollIntervalMs: 100,
  ...more,
});
serveModern({
  onCall: () => ({ result: task('new') }),
  onRequest: ({ method }) => {
    if (method !== 'tasks/get') {
      return undefined;
    }
    asked += 1;
    return { result: asked < 2 ? task('working') : task('completed', { result: complete('done') }) };
  },
});
