import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Timeline } from '../../core/timeline/timeline.ts';

/** A burst of failures is counted once. */
const GATHER_MS = 500;

export interface UnseenOptions {
  readonly timeline: Pick<Timeline, 'failuresAfter' | 'onDidChange'>;
  /** `seq` of the last event of the log. */
  readonly lastSeq: () => number;
  readonly clock: Clock;
  /** Where it is kept between sessions up to which `seq` everything was seen. */
  readonly memory: { get(): number | undefined; set(seq: number): void };
  /** Called with each new count. */
  readonly onDidCount: (count: number) => void;
}

/** Counts the failures that came since the timeline was last on the screen. */
export class UnseenFailures implements Disposable {
  private readonly store = new DisposableStore();
  private readonly options: UnseenOptions;
  private seenSeq: number | undefined;
  private isShown = false;
  private told = 0;
  private timer: Disposable | undefined;

  constructor(options: UnseenOptions) {
    this.options = options;
    this.seenSeq = options.memory.get();
    this.store.add(
      options.timeline.onDidChange(() => {
        if (!this.isShown) {
          this.timer ??= options.clock.setTimer(GATHER_MS, () => {
            this.timer = undefined;
            this.count();
          });
        }
      }),
    );
    this.store.defer(() => this.timer?.dispose());
  }

  /** Everything that was recorded up to now counts as seen, when nothing tells up to where it was: a first run. */
  settle(): void {
    if (this.seenSeq === undefined) {
      this.see();
    }
  }

  /** The timeline has come on the screen, or has gone from it. */
  setShown(isShown: boolean): void {
    if (isShown !== this.isShown) {
      this.isShown = isShown;
      this.see();
      this.tell(0);
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private count(): void {
    const lastSeq = this.options.lastSeq();
    // A log that was emptied begins anew.
    this.seenSeq = Math.min(this.seenSeq ?? lastSeq, lastSeq);
    this.tell(this.isShown ? 0 : this.options.timeline.failuresAfter(this.seenSeq));
  }

  private see(): void {
    this.seenSeq = this.options.lastSeq();
    this.options.memory.set(this.seenSeq);
  }

  private tell(count: number): void {
    if (count !== this.told) {
      this.told = count;
      this.options.onDidCount(count);
    }
  }
}
