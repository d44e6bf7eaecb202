import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Timeline } from '../../core/timeline/timeline.ts';
import type { ToolTally } from '../../core/timeline/toolTallies.ts';

/** Counts are shown in many places, and each of them redraws: at most this often. */
const REFRESH_MS = 1000;

/** What became of the calls of each tool, kept for everything that shows it. */
export class ToolStats implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<void>());
  /** Fires when a count has changed, at most once a second. */
  readonly onDidChange: Event<void> = this.changed.event;
  private readonly timeline: Pick<Timeline, 'tools'>;
  private tallies: readonly ToolTally[] | undefined;
  private timer: Disposable | undefined;

  constructor(timeline: Pick<Timeline, 'tools' | 'onDidChange'>, clock: Clock) {
    this.timeline = timeline;
    this.store.add(
      timeline.onDidChange(() => {
        this.timer ??= clock.setTimer(REFRESH_MS, () => this.refresh());
      }),
    );
    this.store.defer(() => this.timer?.dispose());
  }

  /** As of the last time that they were counted, those called last first. */
  all(): readonly ToolTally[] {
    this.tallies ??= this.timeline.tools();
    return this.tallies;
  }

  dispose(): void {
    this.store.dispose();
  }

  private refresh(): void {
    this.timer = undefined;
    const before = JSON.stringify(this.tallies);
    this.tallies = this.timeline.tools();
    if (JSON.stringify(this.tallies) !== before) {
      this.changed.fire();
    }
  }
}
