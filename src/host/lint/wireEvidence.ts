import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { SilentByName, type SilentCalls, type SilentTools } from '../../core/timeline/silentTools.ts';
import { ownLanguage } from '../language.ts';
import { ago } from '../relativeTime.ts';

const { t } = vscode.l10n;

/** A burst of calls is told once. */
const GATHER_MS = 500;
/** "2 minutes ago" is true for a while only. */
const REFRESH_MS = 60_000;

/** What the wire says of tools: their silent errors, by the tool's name, over all servers. */
export class WireEvidence implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<void>());
  /** Fires when counts or their wording changed. */
  readonly onDidChange: Event<void> = this.changed.event;
  private readonly silent: SilentTools;
  private readonly clock: Clock;
  private byName: SilentByName;
  private timer: Disposable | undefined;

  constructor(silent: SilentTools, clock: Clock) {
    this.silent = silent;
    this.clock = clock;
    this.store.add(silent.onDidChange(() => this.changeIn(GATHER_MS)));
    this.store.defer(() => this.timer?.dispose());
    this.byName = this.count();
  }

  /** Of all these tools together; `undefined` when none of them was seen failing silently. */
  of(tools: readonly string[]): SilentCalls | undefined {
    return this.byName.of(tools);
  }

  /** "Seen 14 times on the wire, last 2 minutes ago." */
  sentence({ count, lastUs }: SilentCalls): string {
    const ago = this.ago(lastUs);
    return count === 1 ? t('Seen on the wire once, {0}.', ago) : t('Seen on the wire {0} times, last {1}.', count, ago);
  }

  /** "2 minutes ago", of a wall time in µs. */
  ago(wallUs: number): string {
    return ago(wallUs / 1000, this.clock.wallUs() / 1000, ownLanguage());
  }

  dispose(): void {
    this.store.dispose();
  }

  private changeIn(ms: number): void {
    this.timer?.dispose();
    this.timer = this.clock.setTimer(ms, () => {
      this.byName = this.count();
      this.changed.fire();
    });
  }

  private count(): SilentByName {
    this.timer = undefined;
    const byName = new SilentByName(this.silent);
    if (byName.size > 0) {
      this.changeIn(REFRESH_MS);
    }
    return byName;
  }
}
