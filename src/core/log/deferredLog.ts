import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { LogEvent } from '../../protocol/events.ts';
import type { EventLog, Eviction, LogSettings } from './eventLog.ts';

/**
 * A log that is opened by its first use: opening touches the disk, and an editor that records nothing has no need of it.
 * Subscribing and configuring are no use yet. `onDidOpen` is called once, right after.
 */
export function deferEventLog(open: () => EventLog, onDidOpen: (log: EventLog) => void): EventLog {
  const store = new DisposableStore();
  const appended = store.add(new Emitter<readonly LogEvent[]>());
  const evicted = store.add(new Emitter<Eviction>());
  let settings: LogSettings | undefined;
  let opened: EventLog | undefined;

  function use(): EventLog {
    if (opened === undefined) {
      opened = open();
      if (settings !== undefined) {
        opened.configure(settings);
      }
      follow(opened.onDidAppend, appended);
      follow(opened.onDidEvict, evicted);
      onDidOpen(opened);
    }
    return opened;
  }

  function follow<T>(source: (listener: (value: T) => void) => Disposable, target: Emitter<T>): void {
    store.add(source((value) => target.fire(value)));
  }

  return {
    onDidAppend: appended.event,
    onDidEvict: evicted.event,
    configure: (next) => {
      settings = next;
      opened?.configure(next);
    },
    get refusedPatterns() {
      return opened?.refusedPatterns ?? [];
    },
    get status() {
      return use().status;
    },
    get lastSeq() {
      return use().lastSeq;
    },
    get count() {
      return use().count;
    },
    append: (event) => {
      // What comes after the end is ignored, as every log does; it opens nothing.
      if (opened !== undefined || !store.isDisposed) {
        use().append(event);
      }
    },
    flush: () => opened?.flush(),
    poll: () => use().poll(),
    get: (seq) => use().get(seq),
    read: (range) => use().read(range),
    sessions: () => use().sessions(),
    nameSession: (id, name) => use().nameSession(id, name),
    pinSession: (id, isPinned) => use().pinSession(id, isPinned),
    deleteSession: (id) => use().deleteSession(id),
    search: (text, options) => use().search(text, options),
    clear: () => use().clear(),
    dispose: () => {
      opened?.dispose();
      store.dispose();
    },
  };
}
