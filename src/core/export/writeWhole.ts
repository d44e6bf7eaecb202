import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Writes text to a file, readable by this user alone: what servers and agents say to each other is private. The file takes
 * its name when it is whole, so that one of that name is never half of an export, and may be what is exported. Rejects when
 * it cannot be written, and leaves nothing behind then.
 */
export async function writeWhole(
  pieces: AsyncIterable<string> | Iterable<string>,
  file: string,
  signal?: AbortSignal,
): Promise<void> {
  const part = `${file}.part`;
  try {
    await pipeline(
      Readable.from(pieces),
      createWriteStream(part, { mode: 0o600 }),
      signal === undefined ? {} : { signal },
    );
    await rename(part, file);
  } catch (error) {
    // Why nothing could be written is what there is to say, not that nothing could be removed either.
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
}
