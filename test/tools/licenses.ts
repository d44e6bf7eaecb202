// What the packages that are bundled are called, and by which licences they may be passed on. `npm run licenses` writes
// docs/licenses.md, `npm run --silent sbom` prints the same as a CycloneDX bill of materials; both need no network.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { packagesIn } from './package/notices.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PAGE = 'docs/licenses.md';

/** Licences (SPDX) that allow what is done here: to pass the code on, bundled, together with the text of the licence. */
export const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'ISC',
  'MIT',
]);

/** A package of which a bundle, or a file beside the bundles, holds something. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX identifier. */
  readonly license: string;
  /** Of its archive, as npm has it: `sha512-` and base64. */
  readonly integrity: string | undefined;
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>>;
}

const readJson = <T>(file: string): T => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')) as T;

/** What the build bundles and copies, by name and version. Bundles everything once, and writes nothing. */
export async function bundledPackages(): Promise<readonly BundledPackage[]> {
  const script = readFileSync(path.join(ROOT, 'esbuild.mjs'), 'utf8');
  const entries = [...script.matchAll(/'((?:src|webview)\/[\w/.]+\.(?:ts|css))'/g)].map(([, file = '']) => file);
  const grammars = [...(/const grammars = \[([^\]]*)\]/.exec(script)?.[1] ?? '').matchAll(/'([\w-]+)'/g)];
  const { metafile } = await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: Object.fromEntries(entries.map((file, index) => [`entry-${index}`, file])),
    outdir: 'dist',
    bundle: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
    platform: 'node',
    format: 'cjs',
    external: ['vscode', '*.ttf'],
    alias: {
      'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
      'web-tree-sitter': path.join(ROOT, 'node_modules/web-tree-sitter/web-tree-sitter.cjs'),
    },
  });
  const files = [
    ...Object.keys(metafile.outputs).map((file) => path.posix.basename(file)),
    'codicon.ttf',
    'web-tree-sitter.wasm',
    'tree-sitter-kotlin.wasm',
    ...grammars.map(([, name]) => `tree-sitter-${name}.wasm`),
  ];
  const lock = readJson<Lock>('package-lock.json');
  const packages = packagesIn(files, [metafile]).map((folder) => {
    const { name, version, license } = readJson<{ name: string; version: string; license: string }>(
      `${folder}/package.json`,
    );
    return { name, version, license, integrity: lock.packages[folder]?.integrity };
  });
  // One that is nested in another is found by its folder.
  const keyOf = ({ name, version }: BundledPackage) => `${name} ${version}`;
  return packages.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** The page of licences, as `docs/licenses.md` has to be. */
export function licensesPage(packages: readonly BundledPackage[]): string {
  const rows = packages.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`);
  return `# What is bundled

Written by \`npm run licenses\`; a test fails when it is not current. These packages are in the extension and in the command line's
package, or some of them are, with the texts of their licences in \`ThirdPartyNotices.txt\` of both. \`npm run --silent sbom\` prints the same as
a CycloneDX bill of materials, with the hashes by which npm knows them; a release has it beside it.

| package | version | licence |
| --- | --- | --- |
${rows.join('\n')}
`;
}

/** The same as a CycloneDX 1.6 bill of materials. Holds no time and no random number, so that the same sources give the same. */
export function billOfMaterials(packages: readonly BundledPackage[]): object {
  const { name, version, license } = readJson<{ name: string; version: string; license: string }>('package.json');
  const own = `pkg:npm/${name}@${version}`;
  const components = packages.map((each) => ({
    type: 'library',
    'bom-ref': purlOf(each),
    name: each.name,
    version: each.version,
    purl: purlOf(each),
    licenses: [{ license: { id: each.license } }],
    ...(each.integrity === undefined ? {} : { hashes: [hashOf(each.integrity)] }),
  }));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': own,
        name,
        version,
        purl: own,
        licenses: [{ license: { id: license } }],
      },
    },
    components,
    dependencies: [{ ref: own, dependsOn: components.map(({ purl }) => purl) }],
  };
}

/** A package URL; the `@` of a scope is escaped in it. */
function purlOf({ name, version }: BundledPackage): string {
  return `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
}

function hashOf(integrity: string): { readonly alg: string; readonly content: string } {
  const [kind = '', base64 = ''] = integrity.split('-', 2);
  return { alg: kind.replace(/^sha/, 'SHA-'), content: Buffer.from(base64, 'base64').toString('hex') };
}

async function main(): Promise<void> {
  const packages = await bundledPackages();
  const refused = packages.filter(({ license }) => !ALLOWED.has(license));
  if (refused.length > 0) {
    process.stderr.write(`not allowed: ${refused.map(({ name, license }) => `${name} (${license})`).join(', ')}\n`);
    process.exitCode = 1;
  } else if (process.argv.includes('--sbom')) {
    process.stdout.write(`${JSON.stringify(billOfMaterials(packages), undefined, 2)}\n`);
  } else {
    writeFileSync(path.join(ROOT, PAGE), licensesPage(packages));
    process.stderr.write(`${PAGE}: ${packages.length} packages\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main();
}
