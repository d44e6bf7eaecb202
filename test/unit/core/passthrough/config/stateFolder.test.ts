import { describe, expect, it } from 'vitest';
import { launcherWords } from '../../../../../src/core/passthrough/config/launcher.ts';
import { stateFolder } from '../../../../../src/core/passthrough/config/stateFolder.ts';

const slashed = (file: string) => file.replaceAll('\\', '/');

describe('the state of a user', () => {
  it.each([
    ['linux', {}, '/h/.local/state/faultline'],
    ['linux', { XDG_STATE_HOME: '/s' }, '/s/faultline'],
    ['linux', { XDG_STATE_HOME: '' }, '/h/.local/state/faultline'],
    ['darwin', { XDG_STATE_HOME: '/s' }, '/h/Library/Application Support/Faultline'],
    ['win32', { LOCALAPPDATA: 'D:/Local' }, 'D:/Local/Faultline'],
    ['win32', {}, '/h/AppData/Local/Faultline'],
  ] as const)('on %s with %j is in %s', (platform, env, expected) => {
    expect(slashed(stateFolder({ platform, home: '/h', env }))).toBe(expected);
  });
});

describe('what a client starts for a tap', () => {
  it.each([
    ['linux', ['/usr/bin/node'], ['/state/tap']],
    ['darwin', ['/usr/bin/node'], ['/state/tap']],
    // No shell, and no script that would need one.
    ['win32', ['C:\\node.exe', 'C:\\Code.exe'], ['C:\\node.exe', '/state/tap-launcher.cjs']],
    ['linux', [], undefined],
    ['win32', [], undefined],
  ] as const)('on %s with %j is %j', (platform, runtimes, expected) => {
    const words = launcherWords({ state: '/state', platform, extensionFolder: '/e', runtimes });
    expect(words?.map(slashed)).toEqual(expected?.map(slashed));
  });
});
