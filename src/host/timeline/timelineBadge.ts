import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Recording } from '../recording.ts';
import { badgeOf, type TimelineSurfaces } from './timelineSurfaces.ts';
import { UnseenFailures } from './unseenFailures.ts';

const KEY = 'timeline.seenSeq';

/**
 * Shows on our icon how many failures came since the timeline was last on the screen. `stand` carries the number until
 * the timeline's own view exists, which VS Code makes when it is first looked at.
 */
export function registerTimelineBadge(
  recording: Recording,
  surfaces: TimelineSurfaces,
  stand: { badge?: vscode.ViewBadge | undefined },
  memento: vscode.Memento,
  clock: Clock,
): Disposable {
  const store = new DisposableStore();
  const { log, timeline } = recording;
  const unseen = store.add(
    new UnseenFailures({
      timeline,
      lastSeq: () => log.lastSeq,
      clock,
      memory: { get: () => memento.get<number>(KEY), set: (seq) => void memento.update(KEY, seq) },
      onDidCount: (count) => {
        stand.badge = surfaces.setBadge(count) ? undefined : badgeOf(count);
      },
    }),
  );
  store.add(surfaces.onDidChangeShown((isShown) => unseen.setShown(isShown)));
  // Nothing is counted that is not projected, and nobody else may be looking.
  const first = store.add(
    log.onDidAppend(() => {
      first.dispose();
      // That it cannot be read, the timeline says.
      recording.load().then(
        () => unseen.settle(),
        () => undefined,
      );
    }),
  );
  return store;
}
