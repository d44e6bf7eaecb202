import type { BodyLimit } from './bodyLimit.ts';

export interface BodyObserver {
  onChunk(chunk: Uint8Array): void;
  onEnd(): void;
  onError(error: unknown): void;
  /** The reader wants no more of it. */
  onCancel(): void;
}

/**
 * The same bytes in the same chunks, seen by `observer` just before their reader gets them. Reads only what is read from
 * it and passes cancellation on, so that flow control and the life of the connection stay as they would be without it.
 * An observer that throws is ignored. When `isTooMuch` says so of a chunk, the body fails instead of going on.
 */
export function observeBody(
  source: ReadableStream<Uint8Array>,
  observer: BodyObserver,
  isTooMuch: BodyLimit = () => false,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            quietly(() => observer.onEnd());
            controller.close();
          } else {
            quietly(() => observer.onChunk(value));
            if (isTooMuch(value)) {
              const error = new Error('The answer is larger than can be held, and no more of it was read.');
              // What the connection does with that is nothing that a reader could act on.
              reader.cancel(error).catch(() => undefined);
              throw error;
            }
            controller.enqueue(value);
          }
        } catch (error) {
          quietly(() => observer.onError(error));
          controller.error(error);
        }
      },
      cancel(reason) {
        quietly(() => observer.onCancel());
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function quietly(work: () => void): void {
  try {
    work();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}
