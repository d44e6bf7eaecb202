import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { stateFolder } from '../../core/passthrough/config/stateFolder.ts';

/** Whether anything was ever tapped by this user: one look at one folder. Never rejects. */
export async function hasTaps(): Promise<boolean> {
  const names = await readdir(path.join(stateFolder(), 'taps')).catch(() => []);
  return names.length > 0;
}
