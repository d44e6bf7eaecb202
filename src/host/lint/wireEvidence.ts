import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { SilentTool, SilentTools } from '../../core/timeline/silentTools.ts';
import { ownLanguage } from '../language.ts';
import { ago } from '../relativeTime.ts';

const { t } = vscode.l10n;

/** A burst of calls is told once. */
const GATHER_MS = 500;
/** "2 minutes ago" is true for a while only. */
const REFRESH_MS = 60_000;

export type Evidence = Omit<SilentTool, 'server'>;

/** What the wire says of tools: their silent errors, by the tool's name, over all servers. */
export class WireEvidence implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<void>());
  /** Fires when counts or their wording changed. */
  readonly onDidChange: Event<void> = this.changed.event;
  private readonly silent: SilentTools;
  private readonly clock: Clock;
  private byTool: ReadonlyMap<string, Evidence> = new Map();
  private timer: Disposable | undefined;

  constructor(silent: SilentTools, clock: Clock) {
    this.silent = silent;
    this.clock = clock;
    this.store.add(silent.onDidChange(() => this.changeIn(GATHER_MS)));
    this.store.defer(() => this.timer?.dispose());
    this.count();
  }

  /** Of all these tools together; `undefined` when none of them was seen failing silently. */
  of(tools: readonly string[]): Evidence | undefined {
    return tools.reduce<Evidence | undefined>((sum, tool) => joined(sum, this.byTool.get(tool)), undefined);
  }

  /** "Seen 14 times on the wire, last 2 minutes ago." */
  sentence({ count, lastUs }: Evidence): string {
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
      this.count();
      this.changed.fire();
    });
  }

  private count(): void {
    const byTool = new Map<string, Evidence>();
    for (const tool of this.silent.all()) {
      const sum = joined(byTool.get(tool.tool), tool);
      if (sum !== undefined) {
        byTool.set(tool.tool, sum);
      }
    }
    this.byTool = byTool;
    this.timer = undefined;
    if (byTool.size > 0) {
      this.changeIn(REFRESH_MS);
    }
  }
}

function joined(a: Evidence | undefined, b: Evidence | undefined): Evidence | undefined {
  if (a === undefined || b === undefined) {
    return a ?? b;
  }
  return { ...(a.lastUs >= b.lastUs ? a : b), count: a.count + b.count };
}
