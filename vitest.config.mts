import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Run by the Node.js of the extension host (the npm package `node`), since the log needs `node:sqlite`.
export default defineConfig({
  test: {
    testTimeout: 20_000,
    // Most tests wait for processes and sockets, so that two files at a time are no load, also where one core would be left.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'] } },
      { test: { name: 'golden', include: ['test/golden/**/*.test.ts'] } },
      { test: { name: 'integration', include: ['test/integration/**/*.test.ts'], testTimeout: 60_000 } },
    ],
  },
});
