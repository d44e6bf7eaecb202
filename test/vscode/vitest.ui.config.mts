import path from 'node:path';
import { defineConfig } from 'vitest/config';

// The real workbench in a browser, driven as a person would: every `test/vscode/ui/*.test.ts`, two at a time, since each
// opens a VS Code of its own.
export default defineConfig({
  root: path.resolve(import.meta.dirname, '../..'),
  test: {
    name: 'ui',
    include: ['test/vscode/ui/**/*.test.ts'],
    globalSetup: ['test/vscode/host/uiSetup.ts'],
    setupFiles: ['test/vscode/host/uiAfterEach.ts'],
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
