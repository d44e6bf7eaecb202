import { expect, it } from 'vitest';
import { parseCodeFlags } from '../../vscode/host/codeFlags.ts';

it('reads the flags of a test run and drops what means nothing here', () => {
  expect(
    parseCodeFlags([
      '/work space/folder',
      '--disable-extensions',
      '--user-data-dir=/data',
      '--no-sandbox',
      '--extensionTestsPath=/tests/index.js',
      '--extensionDevelopmentPath=/one',
      '--extensionDevelopmentPath=/two=2',
    ]),
  ).toEqual({
    developmentPaths: ['/one', '/two=2'],
    testsPath: '/tests/index.js',
    folder: '/work space/folder',
    userDataDir: '/data',
    extensionsDir: undefined,
    isWithoutOtherExtensions: true,
  });
});
