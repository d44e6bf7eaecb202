import v8 from 'node:v8';
import vm from 'node:vm';

/** Bytes of chunks after which those that are done with are let go. */
const EVERY_BYTES = 4 * 1024 * 1024;

type Collect = (options: { readonly type: 'minor' }) => void;

/**
 * To be told of the bytes that stream through: lets go of spent chunks early. They lie outside of the heap, and by itself the
 * engine looks for them only after tens of megabytes, which is more than the rest of a tap takes. A collection of the
 * young generation takes a few tenths of a millisecond, since little else lives there.
 */
export function createChunkCollector(everyBytes = EVERY_BYTES): (bytes: number) => void {
  let since = 0;
  let collect: Collect | undefined;
  return (bytes) => {
    since += bytes;
    if (since < everyBytes) {
      return;
    }
    since = 0;
    collect ??= exposed();
    collect({ type: 'minor' });
  };
}

function exposed(): Collect {
  try {
    v8.setFlagsFromString('--expose-gc');
    const collect: unknown = vm.runInNewContext('gc');
    v8.setFlagsFromString('--no-expose-gc');
    return typeof collect === 'function' ? (collect as Collect) : () => undefined;
  } catch {
    return () => undefined;
  }
}
