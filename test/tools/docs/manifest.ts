import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Absolute path of the repository. */
export const root = path.resolve(import.meta.dirname, '../../..');

/** What the pages tell of a setting (JSON Schema, as VS Code reads it). */
export interface SettingSchema {
  readonly type: string | readonly string[];
  readonly default: unknown;
  readonly scope?: string;
  readonly order?: number;
  readonly markdownDescription: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: { readonly type: string };
}

export interface CommandEntry {
  readonly command: string;
  readonly title: string;
  readonly category: string;
  readonly enablement?: string;
}

export interface MenuEntry {
  readonly command: string;
  readonly when?: string;
}

/** As much of `package.json` as the pages are made of; every `%name%` in English. */
export interface Manifest {
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: {
    readonly commands: readonly CommandEntry[];
    readonly configuration: { readonly properties: Readonly<Record<string, SettingSchema>> };
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
    readonly keybindings: readonly { readonly command: string; readonly key: string }[];
  };
}

const read = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

/** Reads the manifest from the disk. Throws when a place has no name. */
export function readManifest(): Manifest {
  const names = read('package.nls.json') as Readonly<Record<string, string>>;
  const named = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return value.replace(/^%([\w.]+)%$/, (_, name: string) => {
        const text = names[name];
        if (text === undefined) {
          throw new Error(`package.nls.json has no ${name}`);
        }
        return text;
      });
    }
    if (Array.isArray(value)) {
      return value.map(named);
    }
    return value !== null && typeof value === 'object'
      ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, named(each)]))
      : value;
  };
  return named(read('package.json')) as Manifest;
}
