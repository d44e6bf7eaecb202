import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { getNodeValue } from 'jsonc-parser';
import {
  type Definitions,
  mergeDefinitions,
  parseDefinitions,
  parseServersSetting,
} from '../core/client/definitions.ts';
import {
  CONFIGURATION_FILES,
  type ConfigurationFile,
  kindOfFile,
  type Machine,
  userSettingsPaths,
} from '../core/client/discovery/clients.ts';
import { readTree } from '../core/jsonc/readTree.ts';
import { untapped } from '../core/passthrough/config/untapped.ts';
import { memberOf } from '../protocol/json.ts';
import type { JsonValue } from '../protocol/jsonrpc.ts';

export interface DiscoverOptions {
  readonly cwd: string;
  readonly trust: boolean;
  /** The one file to read; by default all that any client reads in this folder and on this machine. */
  readonly config?: string | undefined;
  /** Tests have another home than the machine's. */
  readonly machine?: Machine;
}

/**
 * The servers that the editor would find with `cwd` as its folder: those of every client's files and of the settings
 * `faultline.servers`. A file that is not there defines nothing; one that is malformed costs nobody else's servers.
 */
export async function discoverServers(options: DiscoverOptions): Promise<Definitions> {
  const { cwd, config, machine = thisMachine() } = options;
  if (config !== undefined) {
    const file = path.resolve(cwd, config);
    const text = await readText(file);
    const range = { startLine: 0, startColumn: 0, endLine: 0, endColumn: 0 };
    return text === undefined
      ? { definitions: [], problems: [{ code: 'definition.unreadable', args: {}, path: file, range }] }
      : parseDefinitions(text, { ...shared(options), kind: kindOfFile(file, text), path: file });
  }
  const settings = [
    readSettings(path.join(cwd, '.vscode', 'settings.json'), 'workspace-settings', options),
    ...userSettingsPaths(machine).map((file) => readSettings(file, 'settings', options)),
  ];
  const files = CONFIGURATION_FILES.flatMap((file) =>
    pathsOf(file, cwd, machine).map((place) => readConfiguration(file, place, options)),
  );
  return mergeDefinitions(await Promise.all([...settings, ...files]));
}

/** Every file that a client reads here, whether it is there or not. */
export function configurationPaths(cwd: string, machine: Machine = thisMachine()): readonly string[] {
  return CONFIGURATION_FILES.flatMap((file) => pathsOf(file, cwd, machine));
}

function pathsOf({ place }: ConfigurationFile, cwd: string, machine: Machine): readonly string[] {
  return place.of === 'folder' ? [path.join(cwd, place.path)] : place.paths(machine);
}

async function readConfiguration(
  { kind }: ConfigurationFile,
  file: string,
  options: DiscoverOptions,
): Promise<Definitions> {
  const text = await readText(file);
  if (text === undefined) {
    return { definitions: [], problems: [] };
  }
  const { definitions, problems } = parseDefinitions(text, { ...shared(options), kind, path: file });
  // What is called here is recorded here, if at all, rather than by another client's tap.
  return { definitions: definitions.map(untapped), problems };
}

async function readSettings(
  file: string,
  kind: 'settings' | 'workspace-settings',
  options: DiscoverOptions,
): Promise<Definitions> {
  const text = await readText(file);
  const { tree } = readTree(text ?? '');
  const settings = tree === undefined ? undefined : (getNodeValue(tree) as JsonValue);
  const value = memberOf(settings, 'faultline.servers');
  return parseServersSetting(value, { ...shared(options), kind, path: file });
}

function shared({ cwd, trust }: DiscoverOptions) {
  return { folders: [cwd], isTrusted: () => trust };
}

function thisMachine(): Machine {
  const platform = process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux';
  return { platform, home: homedir(), env: process.env };
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
