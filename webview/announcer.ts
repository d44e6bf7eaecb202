/** What the announcer needs of its surroundings, so that tests can drive it. */
export interface AnnouncerHost {
  readonly say: (text: string) => void;
  /** Calls back after `ms` and returns what cancels it. */
  readonly after: (ms: number, callback: () => void) => () => void;
  readonly nowMs: () => number;
}

export interface Announcer {
  /** Says `text` once nothing newer has come for half a second: the count of rows while a filter is being typed. */
  settle(text: string): void;
  /** Says `text` now, but at most every few seconds: a storm of failures must not talk over the reader. */
  interrupt(text: string): void;
  dispose(): void;
}

const SETTLE_MS = 500;
const INTERRUPT_EVERY_MS = 5000;

/** Words for the page's one polite live region. */
export function createAnnouncer({ say, after, nowMs }: AnnouncerHost): Announcer {
  let cancel = (): void => undefined;
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    settle(text) {
      cancel();
      cancel = after(SETTLE_MS, () => say(text));
    },
    interrupt(text) {
      if (nowMs() - lastMs >= INTERRUPT_EVERY_MS) {
        lastMs = nowMs();
        say(text);
      }
    },
    dispose() {
      cancel();
    },
  };
}
