import { readFile, stat, writeFile } from 'node:fs/promises';
import { languageOf, MAX_BYTES } from '../../lint/engine.ts';
import type { ConfigFinder } from './configFinder.ts';
import { withoutConfidence } from './configFinder.ts';
import type { TextLinter, TextResult } from './lintText.ts';

/** `write` mends files, `dry` only tells what that would come to. */
export type FixMode = 'none' | 'write' | 'dry';

export interface FileLinter {
  readonly texts: TextLinter;
  readonly configs: ConfigFinder;
  /** The command line says how sure a finding must be, whatever the configuration says. */
  readonly ignoresConfidence: boolean;
  readonly fix: FixMode;
}

export type FileResult = TextResult | { readonly kind: 'unreadable'; readonly why: string };

/** Lints a file, and mends it when that was asked for. `file` is absolute. Never rejects. */
export async function lintFile(file: string, linter: FileLinter): Promise<FileResult> {
  const languageId = languageOf(file);
  if (languageId === undefined) {
    return { kind: 'skipped', reason: 'language' };
  }
  const bytes = await readAll(file);
  if (typeof bytes === 'string') {
    return bytes === 'too-large' ? { kind: 'skipped', reason: bytes } : { kind: 'unreadable', why: 'cannot be read' };
  }
  const text = bytes.toString('utf8');
  // What is not UTF-8 throughout could not be written back as it was.
  const fix = linter.fix !== 'none' && Buffer.from(text).equals(bytes);
  const result = await linter.texts.lint({ path: file, text, languageId, config: await configFor(file, linter) }, fix);
  if (result.kind === 'linted' && linter.fix === 'write' && result.text !== text) {
    const isWritten = await writeFile(file, result.text).then(
      () => true,
      () => false,
    );
    return isWritten ? result : { kind: 'unreadable', why: 'cannot be written' };
  }
  return result;
}

/** The configuration of a file as the command line lets it count. */
export async function configFor(file: string, { configs, ignoresConfidence }: FileLinter) {
  const config = await configs.of(file);
  return config !== undefined && ignoresConfidence ? withoutConfidence(config) : config;
}

/** Looks at the size first: what is too large is not read at all. */
async function readAll(file: string): Promise<Buffer | 'too-large' | 'unreadable'> {
  try {
    return (await stat(file)).size > MAX_BYTES ? 'too-large' : await readFile(file);
  } catch {
    return 'unreadable';
  }
}
