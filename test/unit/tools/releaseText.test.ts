import { describe, expect, it } from 'vitest';
import {
  nextSteps,
  notesOf,
  releasedChangelog,
  sourceWithVersion,
  versionProblem,
  withVersion,
} from '../../tools/package/releaseText.mjs';

describe('the version of a release', () => {
  it.each([
    ['0.1.0', '0.1.0', undefined],
    ['0.1.0', '0.1.1', undefined],
    ['0.1.9', '0.1.10', undefined],
    ['0.1.3', '0.2.0', undefined],
    ['0.9.9', '1.0.0', undefined],
    ['1.2.3', '1.2.5', 'after 1.2.3 comes 1.2.4, 1.3.0, 2.0.0, or 1.2.3 itself; not 1.2.5'],
    ['1.2.3', '1.3.1', 'after 1.2.3 comes 1.2.4, 1.3.0, 2.0.0, or 1.2.3 itself; not 1.3.1'],
    ['1.2.3', '1.2.2', 'after 1.2.3 comes 1.2.4, 1.3.0, 2.0.0, or 1.2.3 itself; not 1.2.2'],
    ['1.2.3', '1.1.4', 'after 1.2.3 comes 1.2.4, 1.3.0, 2.0.0, or 1.2.3 itself; not 1.1.4'],
    ['1.2.3', 'v1.2.4', 'a version is three numbers, 1.2.3; v1.2.4 is not'],
    ['1.2.3', '1.2.4-beta.1', 'a version is three numbers, 1.2.3; 1.2.4-beta.1 is not'],
    ['1.2.3', '1.2', 'a version is three numbers, 1.2.3; 1.2 is not'],
    ['1.2.3', '1.2.04', 'a version is three numbers, 1.2.3; 1.2.04 is not'],
    ['next', '1.2.4', 'a version is three numbers, 1.2.3; next is not'],
  ])('after %s, %s', (current, next, problem) => {
    expect(versionProblem(current, next)).toBe(problem);
  });
});

describe('the changelog of a release', () => {
  const head = '# Changelog\n\nWhat it is.\n\n';
  const old = '## [0.1.0] - 2026-01-01\n\n### Added\n\n- All of it.\n';

  it.each([
    ['its first', `${head}## [Unreleased]\n\n### Added\n\n- This.\n`, ''],
    ['one after others', `${head}## [Unreleased]\n\n### Added\n\n- This.\n\n${old}`, `\n${old}`],
    ['one written without air', `${head}## [Unreleased]  \n### Added\n\n- This.\n${old}`, `\n${old}`],
  ])('moves what is unreleased under %s', (_which, changelog, rest) => {
    const changed = releasedChangelog(changelog, '0.2.0', '2026-11-30');
    const heading = changelog.includes('[Unreleased]  ') ? '## [Unreleased]  ' : '## [Unreleased]';
    const text = `${head}${heading}\n\n## [0.2.0] - 2026-11-30\n\n### Added\n\n- This.\n${rest}`;
    expect(changed).toEqual({ text });
    expect(notesOf(text, '0.2.0')).toBe('### Added\n\n- This.');
  });

  it.each([
    ['no heading', `${head}${old}`, 'CHANGELOG.md has no heading "## [Unreleased]"'],
    [
      'a heading in the midst of a line',
      `${head}See ## [Unreleased]\n`,
      'CHANGELOG.md has no heading "## [Unreleased]"',
    ],
    ['nothing in it', `${head}## [Unreleased]\n\n${old}`, 'CHANGELOG.md has nothing under Unreleased'],
    ['headings alone', `${head}## [Unreleased]\n\n### Added\n\n${old}`, 'CHANGELOG.md has nothing under Unreleased'],
    ['the version', `${head}## [Unreleased]\n\n- This.\n\n## [0.2.0] - 2026-01-01\n`, 'CHANGELOG.md has 0.2.0 already'],
  ])('cannot be made with %s', (_what, changelog, problem) => {
    expect(releasedChangelog(changelog, '0.2.0', '2026-11-30')).toEqual({ problem });
  });

  it('has no notes of a version that it does not know', () => {
    expect(notesOf(head + old, '0.2.0')).toBe('');
  });
});

describe('the version in files', () => {
  it('is set in a manifest, whose layout stays', () => {
    const text = '{\n\t"name": "x", "version": "1.0.0",\n\t"other": { "version": "1.0.0" }\n}\n';
    expect(withVersion(text, '1.1.0')).toBe(text.replace('"1.0.0",', '"1.1.0",'));
  });

  it('is set in both places of a lock file, and not in those of others', () => {
    const lock = {
      name: 'x',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: { '': { name: 'x', version: '1.0.0' }, 'node_modules/y': { version: '1.0.0' } },
    };
    expect(JSON.parse(withVersion(JSON.stringify(lock, undefined, 2), '1.1.0'))).toEqual({
      ...lock,
      version: '1.1.0',
      packages: { '': { name: 'x', version: '1.1.0' }, 'node_modules/y': { version: '1.0.0' } },
    });
  });

  it.each([
    ["/** It. */\nexport const VERSION = '1.0.0';\n", { text: "/** It. */\nexport const VERSION = '1.1.0';\n" }],
    ["export const OTHER = '1.0.0';\n", { problem: 'src/protocol/version.ts has no constant VERSION' }],
  ])('is set in %j', (text, changed) => {
    expect(sourceWithVersion(text, '1.1.0')).toEqual(changed);
  });
});

describe('what is left to a person', () => {
  it.each([true, false])('names tag and files, and what npm will ask for (repository: %s)', (hasRepository) => {
    const steps = nextSteps({ version: '1.1.0', vsix: 'out/x.vsix', cli: 'out/x.tgz', hasRepository });
    expect(steps).toMatch(/git tag -s v1\.1\.0 [\s\S]*--packagePath out\/x\.vsix[\s\S]*--provenance .* out\/x\.tgz/);
    expect(steps.includes('has no "repository"')).toBe(!hasRepository);
  });
});
