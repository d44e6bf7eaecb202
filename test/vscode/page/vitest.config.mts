import { defineConfig } from 'vitest/config';

// The built timeline page alone in a browser, with a host of its own: no VS Code is started.
export default defineConfig({
  root: import.meta.dirname,
  test: { name: 'page', include: ['**/*.test.ts'], maxWorkers: 2, testTimeout: 60_000, hookTimeout: 120_000 },
});
