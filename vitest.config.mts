import { defineConfig } from 'vitest/config';

// Run by the Node.js of the extension host (the npm package `node`), since the log needs `node:sqlite`.
export default defineConfig({
  test: {
    testTimeout: 20_000,
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'] } },
      { test: { name: 'golden', include: ['test/golden/**/*.test.ts'] } },
      { test: { name: 'integration', include: ['test/integration/**/*.test.ts'], testTimeout: 60_000 } },
    ],
  },
});
