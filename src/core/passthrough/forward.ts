import type { Readable, Transform, Writable } from 'node:stream';

export interface ForwardOptions {
  /** Told of each chunk once it has been handed on; must neither throw nor change it. */
  readonly onPassed: (chunk: Uint8Array) => void;
  /**
   * What chunks go through on their way, only where something is to be done to them on purpose (injected faults). Without
   * one nothing stands between source and target.
   */
  readonly through?: Transform | undefined;
}

/**
 * Forwards a stream of bytes as Node.js's own `pipe` does, backpressure and end included: a reader that does not read stops
 * the source, and no more than a stream's own buffer is held.
 */
export function forward(source: Readable, target: Writable, { onPassed, through }: ForwardOptions): void {
  const last = through === undefined ? source : source.pipe(through);
  last.pipe(target);
  // After `pipe`, so that it runs after the chunk has been written.
  last.on('data', onPassed);
}
