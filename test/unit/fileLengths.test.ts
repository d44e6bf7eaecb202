import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** A file does one thing and fits on a few screens. */
const MAX_LINES = 400;

it('no file is longer than a few screens', () => {
  const files = ['src', 'webview', 'test']
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        path.join(folder, file),
      ),
    )
    .filter((file) => /\.(?:ts|mts|mjs|cjs|css)$/.test(file) && !/[\\/](?:node_modules|out|fixtures)[\\/]/.test(file));
  expect(files.length).toBeGreaterThan(1000);
  const long = files.flatMap((file) => {
    const lines = readFileSync(path.join(root, file), 'utf8').split('\n').length - 1;
    return lines > MAX_LINES ? [`${file}: ${lines} lines`] : [];
  });
  expect(long).toEqual([]);
});
