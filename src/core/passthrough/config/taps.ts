import { readConfig, writeConfig } from './configFile.ts';
import { forgetRecord, readJournal, type TapRecord, writeRecord } from './journal.ts';
import type { TapId } from './mark.ts';
import { isRefusal, type Refusal } from './tree.ts';
import { type FoundTap, findTaps, unwrapEntry } from './unwrap.ts';

/** A tap that stands in a file. */
export type StandingTap = FoundTap & { readonly file: string };

/** What became of the removal of one tap. `gone`: somebody else had taken it out. */
export type Removal = { readonly id: TapId; readonly file: string; readonly name: string } & (
  | { readonly kind: 'removed' }
  | { readonly kind: 'gone' }
  | Refusal
);

/** Puts a tap that was previewed into its file: written down first, so that nothing is ever tapped that nobody knows of. */
export async function applyTap(
  state: string,
  tap: TapRecord,
  before: string,
  after: string,
): Promise<Refusal | undefined> {
  await writeRecord(state, tap, before);
  const refusal = await writeConfig(tap.file, before, after);
  if (refusal !== undefined) {
    await forgetRecord(state, tap.id);
  }
  return refusal;
}

/** The taps in the files of the journal and in `files`, each once. Never rejects. */
export async function standingTaps(state: string, files: readonly string[] = []): Promise<readonly StandingTap[]> {
  const journal = await readJournal(state);
  const all = [...new Set([...journal.map(({ file }) => file), ...files])];
  const found = await Promise.all(
    all.map(async (file) => {
      const read = await readConfig(file);
      return 'kind' in read ? [] : findTaps(read.text).map((tap) => ({ ...tap, file }));
    }),
  );
  const byId = new Map(found.flat().map((tap) => [`${tap.file} ${tap.id}`, tap]));
  return [...byId.values()];
}

/** Takes one tap out of its file. Never rejects. */
export async function removeTap(
  state: string,
  { id, file, name }: Pick<StandingTap, 'id' | 'file' | 'name'>,
): Promise<Removal> {
  const read = await readConfig(file);
  if (isRefusal(read)) {
    return { id, file, name, ...read };
  }
  const { text } = read as { readonly text: string };
  const undone = unwrapEntry(text, id);
  const refusal = undone.kind === 'refused' ? undone : await writeConfig(file, text, undone.text);
  if (refusal !== undefined) {
    return { id, file, name, ...refusal };
  }
  await forgetRecord(state, id);
  return { id, file, name, kind: 'removed' };
}

/**
 * Takes every tap out of the files of the journal and of `files`, one after the other, since several may stand in one file. What
 * the journal knows and no file has any more is forgotten, and told. Never rejects.
 */
export async function removeAllTaps(state: string, files: readonly string[] = []): Promise<readonly Removal[]> {
  const standing = await standingTaps(state, files);
  const removals: Removal[] = [];
  for (const tap of standing) {
    removals.push(await removeTap(state, tap));
  }
  for (const { id, file, name } of await readJournal(state)) {
    if (removals.some((removal) => removal.id === id)) {
      continue;
    }
    const read = await readConfig(file);
    if (isRefusal(read)) {
      removals.push({ id, file, name, ...read });
    } else {
      await forgetRecord(state, id);
      removals.push({ id, file, name, kind: 'gone' });
    }
  }
  return removals;
}
