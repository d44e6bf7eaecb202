import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureProductionBuild, vsixFile } from '../../tools/lib/build.mjs';
import { contentsFile, contentsOf, flawsOf, packVsix, readZip } from '../../tools/package/vsix.mjs';

/** What all other tests of this folder install: the same file. */
let entries: ReadonlyMap<string, Buffer>;

beforeAll(async () => {
  entries = await readZip(vsixFile);
});

describe('the packed extension', () => {
  it('holds what its list says; `npm run package -- --update` writes it', () => {
    expect(contentsOf(entries.keys())).toEqual(readFileSync(contentsFile, 'utf8').trimEnd().split('\n'));
  });

  it('holds nothing of the repository, no maps and no secrets', () => {
    expect(flawsOf(entries)).toEqual([]);
  });

  it('has a manifest of what VS Code reads, each file that it names, and no field of development', () => {
    const manifest = JSON.parse(entries.get('extension/package.json')?.toString() ?? '');
    const development = ['scripts', 'devDependencies', 'dependencies', 'private', 'bin', 'allowScripts', 'files'];
    expect(development.filter((field) => field in manifest)).toEqual([]);
    expect(manifest.engines).toEqual({ vscode: expect.stringMatching(/^\^1\.\d+\.0$/) });
    const named: readonly string[] = JSON.stringify(manifest).match(/"(?:\.\/)?(?:dist|media)\/[^"#]*\.\w+"/g) ?? [];
    const missing = named
      .map((quoted) => path.posix.join('extension', JSON.parse(quoted)))
      .filter((name) => !entries.has(name));
    expect({ isMainNamed: named.includes('"./dist/extension.js"'), missing }).toEqual({
      isMainNamed: true,
      missing: [],
    });
  });
});

describe('packing', () => {
  const scratch = mkdtempSync(path.join(tmpdir(), 'faultline-vsix-'));
  const before = { TZ: process.env['TZ'], LANG: process.env['LANG'] };
  const umask = process.umask();

  afterAll(() => {
    process.umask(umask);
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) {
        delete process.env[name];
      } else {
        process.env[name] = value;
      }
    }
    rmSync(scratch, { recursive: true });
  });

  it('gives the same bytes elsewhere: another time, time zone, language, umask and modes', async () => {
    const build = await ensureProductionBuild(() => undefined);
    cpSync(build, scratch, { recursive: true });
    const dist = path.join(scratch, 'dist');
    utimesSync(path.join(dist, 'extension.js'), 1, 1);
    chmodSync(path.join(dist, 'extension.js'), 0o700);
    process.umask(0o077);
    Object.assign(process.env, { TZ: 'Asia/Tokyo', LANG: 'sv_SE.UTF-8' });
    const file = path.join(scratch, 'again.vsix');
    await packVsix(scratch, file);
    expect(readFileSync(file).equals(readFileSync(vsixFile))).toBe(true);
  });
});
