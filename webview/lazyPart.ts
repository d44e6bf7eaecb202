/** A part of the page in a chunk of its own. */
export interface LazyPart<T> {
  /** The part, or `undefined` while it is still loading or when it could not be loaded. The first call starts that. */
  get(): T | undefined;
  /** Ends the part, if it is there; one that comes later is ended at once. */
  dispose(end: (part: T) => void): void;
}

/**
 * Loads a part when it is first asked for and calls `onDidLoad` when it is there. A chunk that cannot be loaded, as when an
 * update has replaced it while the page was open, is told once.
 */
export function lazyPart<T>(
  load: () => Promise<T>,
  onDidLoad: () => void,
  onDidFail: (error: unknown) => void,
): LazyPart<T> {
  let part: T | undefined;
  let isAsked = false;
  let endLater: ((part: T) => void) | undefined;
  return {
    get() {
      if (!isAsked) {
        isAsked = true;
        load().then((loaded) => {
          if (endLater === undefined) {
            part = loaded;
            onDidLoad();
          } else {
            endLater(loaded);
          }
        }, onDidFail);
      }
      return part;
    },
    dispose(end) {
      endLater = end;
      if (part !== undefined) {
        end(part);
        part = undefined;
      }
    },
  };
}
