import type { DefinitionSource } from '../../../protocol/definition.ts';

/** Where paths of a machine begin. `env` decides a few of them. */
export interface Machine {
  readonly platform: 'linux' | 'darwin' | 'win32';
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Clients whose configurations are read; also the names in the setting that turns them off. */
export const CLIENTS = ['vscode', 'claudeCode', 'cursor', 'claudeDesktop', 'windsurf', 'cline', 'zed'] as const;

export type ClientName = (typeof CLIENTS)[number];

/** A kind of file that defines servers. */
export interface ConfigurationFile {
  readonly client: ClientName;
  /** The client's own name for itself, with what the file is where there are several. */
  readonly label: string;
  readonly kind: DefinitionSource['kind'];
  /**
   * `folder`: relative to each folder of the workspace, with which it comes. `machine`: absolute, in the directory of the
   * user; several where the client has several places.
   */
  readonly place:
    | { readonly of: 'folder'; readonly path: string }
    | { readonly of: 'machine'; readonly paths: (machine: Machine) => readonly string[] };
}

const CLINE = 'globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json';

/** Every file that is looked for, with the documentation of its client as source. */
export const CONFIGURATION_FILES: readonly ConfigurationFile[] = [
  {
    client: 'vscode',
    label: 'VS Code',
    kind: 'vscode-mcp-json',
    place: { of: 'folder', path: '.vscode/mcp.json' },
  },
  {
    client: 'vscode',
    label: 'VS Code (user)',
    kind: 'vscode-user',
    place: { of: 'machine', paths: (machine) => inUserFolder(machine, 'mcp.json') },
  },
  {
    client: 'claudeCode',
    label: 'Claude Code (project)',
    kind: 'claude-project',
    place: { of: 'folder', path: '.mcp.json' },
  },
  {
    client: 'cursor',
    label: 'Cursor (project)',
    kind: 'cursor-workspace',
    place: { of: 'folder', path: '.cursor/mcp.json' },
  },
  {
    client: 'claudeCode',
    label: 'Claude Code',
    kind: 'claude-code',
    place: { of: 'machine', paths: ({ home }) => [join(home, '.claude.json')] },
  },
  {
    client: 'cursor',
    label: 'Cursor',
    kind: 'cursor',
    place: { of: 'machine', paths: ({ home }) => [join(home, '.cursor/mcp.json')] },
  },
  {
    client: 'claudeDesktop',
    label: 'Claude Desktop',
    kind: 'claude-desktop',
    place: {
      of: 'machine',
      paths: (machine) => [join(applicationData(machine), 'Claude/claude_desktop_config.json')],
    },
  },
  {
    client: 'windsurf',
    label: 'Windsurf',
    kind: 'windsurf',
    place: { of: 'machine', paths: ({ home }) => [join(home, '.codeium/windsurf/mcp_config.json')] },
  },
  {
    client: 'cline',
    label: 'Cline',
    kind: 'cline',
    place: {
      of: 'machine',
      paths: (machine) => [
        ...inUserFolder(machine, CLINE),
        // Where the extension runs on the far side of a remote window.
        join(machine.home, '.vscode-server/data/User', CLINE),
      ],
    },
  },
  {
    client: 'zed',
    label: 'Zed',
    kind: 'zed',
    place: {
      of: 'machine',
      paths: ({ platform, home, env }) =>
        platform === 'win32'
          ? [join(env['APPDATA'] ?? join(home, 'AppData/Roaming'), 'Zed/settings.json')]
          : [join(platform === 'linux' ? configHome(home, env) : join(home, '.config'), 'zed/settings.json')],
    },
  },
];

/** Where VS Code and its kin keep the user's settings. */
export function userSettingsPaths(machine: Machine): readonly string[] {
  return inUserFolder(machine, 'settings.json');
}

function inUserFolder(machine: Machine, name: string): readonly string[] {
  return ['Code', 'Code - Insiders', 'VSCodium'].map((product) =>
    join(applicationData(machine), product, 'User', name),
  );
}

/** In whose words a file is written: by its path where that is one of a client's, else by the section that it has. */
export function kindOfFile(file: string, text: string): DefinitionSource['kind'] {
  const slashed = file.replaceAll('\\', '/');
  const byPath = CONFIGURATION_FILES.find(({ place }) => {
    const names =
      place.of === 'folder' ? [place.path] : place.paths({ platform: 'linux', home: '', env: {} }).map(lastTwo);
    return names.some((name) => slashed === name || slashed.endsWith(`/${name}`));
  });
  const bySection = text.includes('"context_servers"')
    ? 'zed'
    : text.includes('"mcpServers"')
      ? 'claude-project'
      : 'vscode-mcp-json';
  return byPath?.kind ?? bySection;
}

/** Folder and name: what stays the same on every platform. */
function lastTwo(file: string): string {
  return file
    .split('/')
    .filter((part) => part !== '')
    .slice(-2)
    .join('/');
}

/** The client that a definition comes from, in its own words; `undefined` for what the user wrote for Faultline. */
export function clientLabelOf(kind: DefinitionSource['kind']): string | undefined {
  return CONFIGURATION_FILES.find((file) => file.kind === kind)?.label;
}

/** Whether the source lies in the user's own directory and belongs to another client: listed, but never started by itself. */
export function isOtherClients(kind: DefinitionSource['kind']): boolean {
  return CONFIGURATION_FILES.some((file) => file.kind === kind && file.place.of === 'machine');
}

function applicationData({ platform, home, env }: Machine): string {
  switch (platform) {
    case 'win32':
      return env['APPDATA'] ?? join(home, 'AppData/Roaming');
    case 'darwin':
      return join(home, 'Library/Application Support');
    case 'linux':
      return configHome(home, env);
  }
}

function configHome(home: string, env: Machine['env']): string {
  const configured = env['XDG_CONFIG_HOME'];
  return configured === undefined || configured === '' ? join(home, '.config') : configured;
}

/** Windows takes slashes too. */
function join(...parts: readonly string[]): string {
  return parts.map((part) => part.replace(/[\\/]$/, '')).join('/');
}
