import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALLOWED, billOfMaterials, bundledPackages, licensesPage } from '../../tools/licenses.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/licenses.md'), 'utf8');
const packages = await bundledPackages();

describe('the packages that are bundled', () => {
  it('name every package that a bundle holds, with its version and licence', () => {
    // `npm run licenses` writes it.
    expect(page).toBe(licensesPage(packages));
    const names = packages.map(({ name }) => name);
    // One that each bundle of its own brings, and what is copied.
    for (const known of ['zod', 'undici', '@grpc/grpc-js', 'lit-html', '@vscode/codicons', 'web-tree-sitter']) {
      expect(names).toContain(known);
    }
  });

  it('may be passed on by their licences', () => {
    expect(packages.filter(({ license }) => !ALLOWED.has(license))).toEqual([]);
  });

  it('are in the bill of materials, each by the hash that npm checked', () => {
    const { components } = billOfMaterials(packages) as {
      readonly components: readonly {
        readonly purl: string;
        readonly hashes: readonly { readonly alg: string; readonly content: string }[];
      }[];
    };
    expect(components.map(({ purl }) => purl)).toEqual(
      packages.map(({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`),
    );
    expect(new Set(components.map(({ purl }) => purl)).size).toBe(components.length);
    const wrong = components.filter(
      ({ hashes: [hash] }) => hash?.alg !== 'SHA-512' || !/^[0-9a-f]{128}$/.test(hash.content),
    );
    expect(wrong).toEqual([]);
  });
});
