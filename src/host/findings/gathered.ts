import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';

/** A burst of calls is looked through once. */
const GATHER_MS = 1000;

/**
 * Fires some time after what is listened to has, and only when `signature` says something else then than it did before: a
 * tree that is drawn anew loses its place.
 */
export function gathered(
  onDidChange: Event<void>,
  clock: Clock,
  signature: () => string,
): Disposable & { readonly onDidChange: Event<void> } {
  const store = new DisposableStore();
  const changed = store.add(new Emitter<void>());
  let known = '';
  let timer: Disposable | undefined;
  store.defer(() => timer?.dispose());
  store.add(
    onDidChange(() => {
      timer ??= clock.setTimer(GATHER_MS, () => {
        timer = undefined;
        const now = signature();
        if (now !== known) {
          known = now;
          changed.fire();
        }
      });
    }),
  );
  return { onDidChange: changed.event, dispose: () => store.dispose() };
}
