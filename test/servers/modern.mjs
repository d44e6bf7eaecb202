// A well-behaved server of 2026-07-28. argv: "listen" to say after each call that its tools changed.
import process from 'node:process';
import { complete, serveModern } from './support/modern.mjs';

let notify = () => undefined;
let calls = 0;
serveModern({
  capabilities: { tools: { listChanged: true } },
  onListen: (send) => {
    notify = send;
  },
  onRequest: ({ method }) =>
    method === 'tools/list' && process.argv[2] === 'listen'
      ? {
          result: {
            resultType: 'complete',
            tools: Array.from({ length: calls + 1 }, (_, index) => ({
              name: index === 0 ? 'work' : `work${index}`,
              inputSchema: { type: 'object' },
            })),
            ttlMs: 60_000,
            cacheScope: 'private',
          },
        }
      : undefined,
  onCall: () => {
    calls += 1;
    if (process.argv[2] === 'listen') {
      setImmediate(() => notify('notifications/tools/list_changed'));
    }
    return { result: complete('done') };
  },
});
