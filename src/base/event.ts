import type { Disposable } from './disposable.ts';

/** A subscription point: call it with a listener, dispose the result to stop listening. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/**
 * Fires values to listeners in the order they subscribed. A listener that throws does not keep the value from the
 * others; its error goes to `onError`, never to whoever fired.
 */
export class Emitter<T> implements Disposable {
  private listeners: ReadonlyArray<(value: T) => void> = [];
  private readonly onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void = reportLater) {
    this.onError = onError;
  }

  readonly event: Event<T> = (listener) => {
    this.listeners = [...this.listeners, listener];
    return {
      dispose: () => {
        this.listeners = this.listeners.filter((other) => other !== listener);
      },
    };
  };

  fire(value: T): void {
    for (const listener of this.listeners) {
      try {
        listener(value);
      } catch (error) {
        this.onError(error);
      }
    }
  }

  dispose(): void {
    this.listeners = [];
  }
}

/** Surfaces the error as an unhandled rejection: visible in logs and fatal in tests, harmless to the caller. */
function reportLater(error: unknown): void {
  void Promise.reject(error);
}
