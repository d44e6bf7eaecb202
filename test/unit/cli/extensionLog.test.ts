import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findExtensionLog, type Machine } from '../../../src/cli/extensionLog.ts';

let home: string;
let machine: Machine;

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'faultline-home-'));
  machine = { platform: 'linux', home, env: {} };
});

afterEach(() => {
  rmSync(home, { recursive: true });
});

/** A workspace's storage as VS Code lays it out; gives the log in it. */
function workspace(settings: string, name: string, folder: string, time = 1): string {
  const storage = path.join(home, settings, 'User/workspaceStorage', name);
  mkdirSync(path.join(storage, 'faultline.faultline'), { recursive: true });
  writeFileSync(path.join(storage, 'workspace.json'), JSON.stringify({ folder }));
  const log = path.join(storage, 'faultline.faultline', 'faultline.sqlite');
  writeFileSync(log, '');
  utimesSync(log, time, time);
  return log;
}

const uri = (folder: string) => pathToFileURL(folder).toString();

describe("the extension's log", () => {
  it('is found for the folder and for folders within, and for no other', () => {
    const log = workspace('.config/Code', 'a', uri('/projects/my shop'));
    expect(findExtensionLog('/projects/my shop', machine)).toBe(log);
    expect(findExtensionLog('/projects/my shop/src/tools', machine)).toBe(log);
    expect(findExtensionLog('/projects/my shop 2', machine)).toBeUndefined();
    expect(findExtensionLog('/projects', machine)).toBeUndefined();
  });

  it('is that of the innermost workspace, and of the editor that wrote last', () => {
    workspace('.config/Code', 'a', uri('/projects'));
    workspace('.config/Code', 'b', uri('/projects/shop'), 1);
    const newest = workspace('.config/VSCodium', 'c', uri('/projects/shop'), 2);
    expect(findExtensionLog('/projects/shop/src', machine)).toBe(newest);
  });

  it.each([
    ['linux', {}, '.config/Code - Insiders'],
    ['linux', { XDG_CONFIG_HOME: '' }, '.config/Cursor'],
    ['darwin', {}, 'Library/Application Support/Code'],
  ] as const)('is where %s keeps settings, with %j', (platform, env, settings) => {
    const log = workspace(settings, 'a', uri('/projects/shop'));
    expect(findExtensionLog('/projects/shop', { ...machine, platform, env })).toBe(log);
  });

  it.each([
    ['C:\\projects\\my shop', true],
    ['c:\\Projects\\My Shop\\src', true],
    ['C:\\projects', false],
    ['D:\\projects\\my shop', false],
    ['\\\\box\\projects\\my shop', false],
  ])('is where Windows keeps settings, for %s: %s', (folder, isFound) => {
    // As VS Code writes it there.
    const log = workspace('AppData/Roaming/Code', 'a', 'file:///c%3A/projects/my%20shop');
    expect(findExtensionLog(folder, { ...machine, platform: 'win32' })).toBe(isFound ? log : undefined);
  });

  it('is found on the remote host of an editor', () => {
    const log = workspace('.vscode-server/data', 'a', 'vscode-remote://ssh-remote%2Bbox/projects/my%20shop');
    expect(findExtensionLog('/projects/my shop', machine)).toBe(log);
  });

  it('is not looked for where storage is damaged or of another kind', () => {
    workspace('.config/Code', 'a', 'not a uri');
    const log = workspace('.config/Code', 'b', uri('/x'));
    writeFileSync(path.join(path.dirname(log), '..', 'workspace.json'), '{');
    expect(findExtensionLog('/x', machine)).toBeUndefined();
  });
});
