import { describe, expect, it } from 'vitest';
import {
  CLIENTS,
  CONFIGURATION_FILES,
  clientLabelOf,
  isOtherClients,
  kindOfFile,
  type Machine,
} from '../../../../../src/core/client/discovery/clients.ts';

const linux: Machine = { platform: 'linux', home: '/home/u', env: {} };
const darwin: Machine = { platform: 'darwin', home: '/Users/u', env: {} };
const win32: Machine = { platform: 'win32', home: 'C:\\Users\\u', env: { APPDATA: 'C:\\Users\\u\\AppData\\Roaming' } };

function pathsOn(machine: Machine): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    CONFIGURATION_FILES.map(({ kind, place }) => [kind, place.of === 'folder' ? [place.path] : place.paths(machine)]),
  );
}

describe('the places of configurations', () => {
  const inUser = (settings: string, name: string) =>
    ['Code', 'Code - Insiders', 'VSCodium'].map((product) => `${settings}/${product}/User/${name}`);
  const cline = 'globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json';

  /** Every file there is, for a home folder, the folder of settings and what Claude Desktop and Zed make of that. */
  const all = (home: string, settings: string, zed: string) => ({
    'vscode-mcp-json': ['.vscode/mcp.json'],
    'claude-project': ['.mcp.json'],
    'cursor-workspace': ['.cursor/mcp.json'],
    'vscode-user': inUser(settings, 'mcp.json'),
    'claude-code': [`${home}/.claude.json`],
    cursor: [`${home}/.cursor/mcp.json`],
    'claude-desktop': [`${settings}/Claude/claude_desktop_config.json`],
    windsurf: [`${home}/.codeium/windsurf/mcp_config.json`],
    cline: [...inUser(settings, cline), `${home}/.vscode-server/data/User/${cline}`],
    zed: [`${zed}/settings.json`],
  });

  it.each([
    ['Linux', linux, all('/home/u', '/home/u/.config', '/home/u/.config/zed')],
    ['macOS', darwin, all('/Users/u', '/Users/u/Library/Application Support', '/Users/u/.config/zed')],
    ['Windows', win32, all('C:/Users/u', 'C:/Users/u/AppData/Roaming', 'C:/Users/u/AppData/Roaming/Zed')],
    [
      'Windows without APPDATA',
      { ...win32, env: {} },
      all('C:/Users/u', 'C:/Users/u/AppData/Roaming', 'C:/Users/u/AppData/Roaming/Zed'),
    ],
    [
      'Windows with profiles that roam',
      { ...win32, env: { APPDATA: '\\\\box\\u\\' } },
      all('C:/Users/u', '//box/u', '//box/u/Zed'),
    ],
  ])('are all of these on %s', (_name, machine, expected) => {
    const paths = Object.entries(pathsOn(machine)).map(([kind, files]) => [
      kind,
      files.map((file) => file.replaceAll('\\', '/')),
    ]);
    expect(Object.fromEntries(paths)).toEqual(expected);
  });

  it.each([
    ['Linux', linux, 'claude-desktop', '/home/u/.config/Claude/claude_desktop_config.json'],
    ['Linux with XDG', { ...linux, env: { XDG_CONFIG_HOME: '/x/' } }, 'zed', '/x/zed/settings.json'],
    ['macOS', darwin, 'claude-desktop', '/Users/u/Library/Application Support/Claude/claude_desktop_config.json'],
    ['macOS', darwin, 'zed', '/Users/u/.config/zed/settings.json'],
    ['Windows', win32, 'claude-desktop', 'C:\\Users\\u\\AppData\\Roaming/Claude/claude_desktop_config.json'],
    ['Windows', win32, 'zed', 'C:\\Users\\u\\AppData\\Roaming/Zed/settings.json'],
    ['Windows', win32, 'claude-code', 'C:\\Users\\u/.claude.json'],
    ['Linux', linux, 'vscode-user', '/home/u/.config/Code/User/mcp.json'],
    ['any', linux, 'cursor', '/home/u/.cursor/mcp.json'],
    ['any', linux, 'windsurf', '/home/u/.codeium/windsurf/mcp_config.json'],
    ['any', linux, 'claude-project', '.mcp.json'],
    [
      'macOS',
      darwin,
      'cline',
      '/Users/u/Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    ],
  ])('are those of %s: %#', (_name, machine, kind, path) => {
    expect(pathsOn(machine)[kind]).toContain(path);
  });

  it('cover every client, each kind once, and know whose they are', () => {
    expect([...new Set(CONFIGURATION_FILES.map(({ client }) => client))].sort()).toEqual([...CLIENTS].sort());
    const kinds = CONFIGURATION_FILES.map(({ kind }) => kind);
    expect(new Set(kinds).size).toBe(kinds.length);
    expect(kinds.filter(isOtherClients)).toEqual([
      'vscode-user',
      'claude-code',
      'cursor',
      'claude-desktop',
      'windsurf',
      'cline',
      'zed',
    ]);
    expect([clientLabelOf('cursor'), clientLabelOf('settings')]).toEqual(['Cursor', undefined]);
  });
});

describe('the words that a file is written in', () => {
  it.each([
    ['/w/.vscode/mcp.json', '{}', 'vscode-mcp-json'],
    ['/w/.mcp.json', '{}', 'claude-project'],
    ['/w/.cursor/mcp.json', '{}', 'cursor-workspace'],
    ['C:\\Users\\u\\AppData\\Roaming\\Claude\\claude_desktop_config.json', '{}', 'claude-desktop'],
    ['/home/u/.codeium/windsurf/mcp_config.json', '{}', 'windsurf'],
    ['/x/settings/cline_mcp_settings.json', '{}', 'cline'],
    ['/x/zed/settings.json', '{}', 'zed'],
    ['/home/u/.claude.json', '{}', 'claude-code'],
    ['/x/User/mcp.json', '{}', 'vscode-user'],
    ['/w/other.json', '{"servers": {}}', 'vscode-mcp-json'],
    ['/w/other.json', '{"mcpServers": {}}', 'claude-project'],
    ['/w/other.json', '{"context_servers": {}}', 'zed'],
    ['/w/xmcp.json', '{"servers": {}}', 'vscode-mcp-json'],
  ])('of %s with %s are those of %s', (file, text, kind) => expect(kindOfFile(file, text)).toBe(kind));
});
