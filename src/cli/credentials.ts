import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { SecretStore } from '../core/client/auth/authorizer.ts';

/** Where the command line keeps its sign-ins: with the user's own state, not with what is backed up as configuration. */
export function credentialsFile(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string {
  const state = env['XDG_STATE_HOME'];
  const folder =
    platform === 'win32'
      ? (env['LOCALAPPDATA'] ?? path.join(homedir(), 'AppData', 'Local'))
      : state === undefined || state === ''
        ? path.join(homedir(), '.local', 'state')
        : state;
  return path.join(folder, 'faultline', 'credentials.json');
}

/**
 * Keeps tokens in a file that its owner alone can read, as there is no secret storage that every terminal has. A file that
 * cannot be read is as if it were empty. Rejects when it cannot be written.
 */
export function createCredentialStore(file: string): SecretStore {
  async function read(): Promise<Record<string, string>> {
    try {
      const kept: unknown = JSON.parse(await readFile(file, 'utf8'));
      return typeof kept === 'object' && kept !== null ? { ...(kept as Record<string, string>) } : {};
    } catch {
      return {};
    }
  }
  async function write(kept: Readonly<Record<string, string>>): Promise<void> {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    // Whole or not at all: a reader never sees half of it.
    const draft = `${file}.${randomUUID()}`;
    await writeFile(draft, JSON.stringify(kept), { mode: 0o600 });
    await chmod(draft, 0o600);
    await rename(draft, file);
  }
  return {
    get: async (key) => {
      const kept = await read();
      return Object.hasOwn(kept, key) ? kept[key] : undefined;
    },
    set: async (key, value) => write({ ...(await read()), [key]: value }),
    delete: async (key) => {
      const { [key]: _, ...rest } = await read();
      await write(rest);
    },
  };
}
