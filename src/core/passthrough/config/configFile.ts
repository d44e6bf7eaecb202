/// <reference path="./writeFileAtomic.d.ts" />

import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import { messageOf } from '../../../base/messageOf.ts';
import { type Refusal, refused } from './tree.ts';

/** The text of a configuration with its byte order mark, or why there is none: bytes that are no UTF-8 would not survive an edit. */
export async function readConfig(file: string): Promise<{ readonly text: string } | Refusal> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    return refused('unreadable', { file, detail: messageOf(error) });
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return refused('encoding', { file });
  }
}

/**
 * Writes `after` in the place of `before`, whole or not at all, through symbolic links and with the mode that the file has.
 * Refused when the file is another by now, or may not be written: a rename would ask nobody.
 */
export async function writeConfig(file: string, before: string, after: string): Promise<Refusal | undefined> {
  const current = await readConfig(file);
  if ('kind' in current) {
    return current;
  }
  if (current.text !== before) {
    return refused('changed', { file });
  }
  try {
    await access(file, constants.W_OK);
    await writeFileAtomic(file, Buffer.from(after, 'utf8'));
    return undefined;
  } catch (error) {
    return refused('unwritable', { file, detail: messageOf(error) });
  }
}
