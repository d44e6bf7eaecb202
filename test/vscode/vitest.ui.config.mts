import { defineConfig } from 'vitest/config';

// The real workbench in a browser, driven as a person would: every `test/vscode/ui/*.test.ts`, one after the other, since
// each opens a VS Code of its own.
export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: 'ui',
    include: ['ui/**/*.test.ts'],
    globalSetup: ['host/uiSetup.ts'],
    setupFiles: ['host/uiAfterEach.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
