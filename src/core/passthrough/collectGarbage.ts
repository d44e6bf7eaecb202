import v8 from 'node:v8';
import vm from 'node:vm';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';

type Collect = (
  options:
    | { readonly type: 'minor' }
    | { readonly type: 'major'; readonly execution: 'sync'; readonly flavor: 'last-resort' },
) => void;

export interface CollectorOptions {
  readonly clock: Clock;
  /** How long nothing may have passed before memory is given back. */
  readonly idleMs: number;
  /** How much must have passed since it was given back last. */
  readonly idleBytes: number;
  /** Spent chunks are let go each time that so much has passed, also under way. */
  readonly underWayBytes: number;
}

/**
 * For the thread that records, to be told of the bytes that have passed. A tap lives for days beside a client: by itself
 * the engine keeps what a burst has made it take, and looks for spent chunks, which lie outside of its heap, only after tens
 * of megabytes. So memory is given back when nothing passes. Never on the thread that forwards, which would stand still
 * meanwhile.
 */
export function createCollector(options: CollectorOptions): (bytes: number) => void {
  const { clock, idleMs, idleBytes, underWayBytes } = options;
  let sinceIdle = 0;
  let sinceMinor = 0;
  let timer: Disposable | undefined;
  let known: Collect | undefined;

  const collect: Collect = (kind) => {
    known ??= exposed();
    known(kind);
  };

  return (bytes) => {
    sinceIdle += bytes;
    sinceMinor += bytes;
    if (sinceMinor >= underWayBytes) {
      sinceMinor = 0;
      collect({ type: 'minor' });
    }
    timer?.dispose();
    timer =
      sinceIdle < idleBytes
        ? undefined
        : clock.setTimer(idleMs, () => {
            sinceIdle = 0;
            // The thorough kind, which also throws compiled code away: worth it only for a long rest.
            collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
          });
  };
}

/** The collector, which V8 shows to a new context while the flag is set. */
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
