import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import type { TapId } from './mark.ts';

const record = z.object({
  id: z.string().check(z.regex(/^[0-9a-f]{8}$/)),
  /** Absolute path of the configuration. */
  file: z.string(),
  name: z.string(),
  /** What the client calls itself. */
  client: z.string(),
  /** Where it is recorded. */
  log: z.string(),
  /** ISO 8601. */
  at: z.string(),
  /** The server's address and the listener's port; absent over stdio. */
  http: z.optional(z.object({ url: z.string(), port: z.int() })),
});

/** A tap that was put into a configuration. The configuration itself says it too; this is how it is found again. */
export type TapRecord = z.infer<typeof record>;

const folderOf = (state: string) => path.join(state, 'taps');
const recordPath = (state: string, id: TapId) => path.join(folderOf(state), `${id}.json`);

/** The whole configuration as it was before, for the case that all else fails. */
export function backupPath(state: string, id: TapId): string {
  return path.join(folderOf(state), `${id}.backup`);
}

/** What is tapped as far as it was written down; what cannot be read is left out. Never rejects. */
export async function readJournal(state: string): Promise<readonly TapRecord[]> {
  const names = await readdir(folderOf(state)).catch(() => []);
  const records = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map(async (name) => {
        try {
          const parsed = record.safeParse(JSON.parse(await readFile(path.join(folderOf(state), name), 'utf8')));
          return parsed.success ? [parsed.data] : [];
        } catch {
          return [];
        }
      }),
  );
  return records.flat();
}

/** Writes a tap down, with the configuration as it is before. Readable by this user alone: configurations hold secrets. */
export async function writeRecord(state: string, tap: TapRecord, before: string): Promise<void> {
  await mkdir(folderOf(state), { recursive: true, mode: 0o700 });
  await writeFile(backupPath(state, tap.id), before, { mode: 0o600, flag: 'wx' });
  await writeFile(recordPath(state, tap.id), `${JSON.stringify(tap, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
}

/** Forgets a tap that is out of its configuration, and the backup with it. */
export async function forgetRecord(state: string, id: TapId): Promise<void> {
  await rm(recordPath(state, id), { force: true });
  await rm(backupPath(state, id), { force: true });
}
