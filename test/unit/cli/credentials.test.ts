import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCredentialStore, credentialsFile } from '../../../src/cli/credentials.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'faultline-credentials-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the credentials of the command line', () => {
  it('are kept by key in a file that its owner alone can read', async () => {
    const file = path.join(folder, 'state', 'credentials.json');
    const store = createCredentialStore(file);
    expect(await store.get('a')).toBeUndefined();
    await store.set('a', '1');
    await store.set('b', '2');
    await store.delete('a');
    expect([await store.get('a'), await store.get('b'), await store.get('constructor')]).toEqual([
      undefined,
      '2',
      undefined,
    ]);
    expect([statSync(file).mode & 0o777, statSync(path.dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it.each(['{', 'null', '7'])('are none in a file that holds %s', async (text) => {
    const file = path.join(folder, 'credentials.json');
    writeFileSync(file, text);
    const store = createCredentialStore(file);
    expect(await store.get('a')).toBeUndefined();
    await store.set('a', '1');
    expect(await store.get('a')).toBe('1');
  });

  it.each<[NodeJS.Platform, Record<string, string>, string]>([
    ['linux', {}, path.join(homedir(), '.local/state/faultline/credentials.json')],
    ['linux', { XDG_STATE_HOME: '/s' }, '/s/faultline/credentials.json'],
    ['darwin', { XDG_STATE_HOME: '' }, path.join(homedir(), '.local/state/faultline/credentials.json')],
    ['win32', { LOCALAPPDATA: '/l' }, '/l/faultline/credentials.json'],
  ])('lie with the state of the user on %s %j', (platform, env, expected) => {
    expect(credentialsFile(env, platform)).toBe(expected);
  });
});
