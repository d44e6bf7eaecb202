import type { Clock } from '../../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import { Emitter, type Event } from '../../../base/event.ts';
import type { ConnectionId, EventSink, ServerId, SessionId } from '../../../protocol/events.ts';
import { createRecorder } from '../../transport/recorder.ts';
import type { ConnectionState } from '../connection.ts';
import type { ConnectionFailure } from '../failure.ts';

/** What the supervisor needs of the pool. */
export interface SupervisedPool {
  readonly onDidChange: Event<ServerId>;
  readonly connections: ReadonlyMap<ServerId, { readonly state: ConnectionState; readonly id: ConnectionId }>;
  connect(server: ServerId): Promise<ConnectionState>;
}

export interface SupervisorOptions {
  readonly clock: Clock;
  readonly pool: SupervisedPool;
  /** Where each wait and the verdict are recorded. */
  readonly sink: EventSink;
  readonly session: SessionId;
  /** Asked when a server has crashed. */
  readonly isWanted: (server: ServerId) => boolean;
}

/** A server that goes on crashing: it is left alone until a person starts it. */
export interface CrashLoop {
  readonly crashes: number;
  readonly withinMs: number;
}

/** So many crashes within this time are a loop: the next start would end like the others. */
const LOOP_CRASHES = 5;
const LOOP_WITHIN_MS = 180_000;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

interface Watched {
  kind: ConnectionState['kind'] | undefined;
  /** Monotonic times of its crashes, µs, oldest first. */
  crashes: readonly number[];
  restart?: Disposable | undefined;
  /** The launch under way is ours: that it fails is a crash as well. */
  isOurs: boolean;
  loop?: CrashLoop | undefined;
}

/**
 * Starts servers again whose process ended by itself, after waits that double from 1 s to 30 s. The fifth crash within three
 * minutes is a verdict: it stops, and records so. A server that a person stops, or that never came up, is left alone.
 */
export class CrashSupervisor implements Disposable {
  private readonly options: SupervisorOptions;
  private readonly store = new DisposableStore();
  private readonly watched = new Map<ServerId, Watched>();
  private readonly emitter = this.store.add(new Emitter<ServerId>());

  /** A verdict was reached or dropped. */
  readonly onDidJudge: Event<ServerId> = this.emitter.event;

  constructor(options: SupervisorOptions) {
    this.options = options;
    this.store.add(options.pool.onDidChange((server) => this.changed(server)));
  }

  loopOf(server: ServerId): CrashLoop | undefined {
    return this.watched.get(server)?.loop;
  }

  /** A person starts or stops the server: what it did before counts no more. */
  forgive(server: ServerId): void {
    const watched = this.watched.get(server);
    if (watched !== undefined) {
      watched.restart?.dispose();
      this.watched.set(server, { kind: watched.kind, crashes: [], isOurs: false });
      if (watched.loop !== undefined) {
        this.emitter.fire(server);
      }
    }
  }

  dispose(): void {
    for (const { restart } of this.watched.values()) {
      restart?.dispose();
    }
    this.watched.clear();
    this.store.dispose();
  }

  private changed(server: ServerId): void {
    const state = this.options.pool.connections.get(server)?.state;
    const watched = this.watched.get(server) ?? { kind: undefined, crashes: [], isOurs: false };
    if (state === undefined) {
      watched.restart?.dispose();
      this.watched.delete(server);
      return;
    }
    this.watched.set(server, watched);
    const before = watched.kind;
    watched.kind = state.kind;
    if (state.kind === before) {
      return;
    }
    watched.restart?.dispose();
    watched.restart = undefined;
    const wasUp = before === 'running' || (before === 'starting' && watched.isOurs);
    if (state.kind === 'failed' && state.failure.failure.reason === 'exited' && wasUp) {
      this.crashed(server, watched, state.failure);
    } else if (state.kind !== 'starting') {
      watched.isOurs = false;
    }
  }

  private crashed(server: ServerId, watched: Watched, { failure }: ConnectionFailure): void {
    const { clock, pool, sink, session, isWanted } = this.options;
    const connection = pool.connections.get(server)?.id;
    const nowUs = clock.monoUs();
    watched.isOurs = false;
    watched.crashes = [...watched.crashes, nowUs].filter((atUs) => nowUs - atUs < LOOP_WITHIN_MS * 1000);
    if (!isWanted(server)) {
      return;
    }
    const { length } = watched.crashes;
    const record =
      connection === undefined
        ? undefined
        : createRecorder({ context: { session, server, connection, origin: 'client' }, sink, clock });
    if (length >= LOOP_CRASHES) {
      watched.loop = { crashes: length, withinMs: LOOP_WITHIN_MS };
      record?.({ kind: 'lifecycle', detail: { step: 'crash-loop', ...watched.loop, failure } });
      this.emitter.fire(server);
      return;
    }
    const delayMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (length - 1));
    record?.({ kind: 'lifecycle', detail: { step: 'backoff', delayMs, attempt: length } });
    watched.restart = clock.setTimer(delayMs, () => {
      watched.restart = undefined;
      watched.isOurs = true;
      void pool.connect(server);
    });
  }
}
