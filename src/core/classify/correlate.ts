import { assertNever } from '../../base/assertNever.ts';
import type { Judge } from '../../protocol/call.ts';
import type { ConnectionId, HttpBody, LogEvent, NoiseBody, NoteBody } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { anomalyOf } from './anomalies/anomalyOf.ts';
import { anomaliesOf } from './anomalies/detect.ts';
import { detectHttp } from './anomalies/headers.ts';
import { detectNoise } from './anomalies/noise.ts';
import { type Found, Scene } from './anomalies/scene.ts';
import { BoundedMap } from './boundedMap.ts';
import { Chains } from './chains.ts';
import { ConnectionState } from './connectionState.ts';
import { addAnomaly, addInjected, beginExchange, type ExchangeState, relate, snapshotOf } from './exchangeState.ts';
import { shorten } from './json.ts';
import { ServerMemories } from './memory/serverMemory.ts';
import { projectHttp, projectLifecycle, projectLocalEnd } from './projectLifecycle.ts';
import { MessageProjector, type Passing, type Placed } from './projectMessage.ts';
import type { Projection } from './settling.ts';

/** Ended connections that may still be told of: output that was in the pipe, a late local end. */
const ENDED_CONNECTIONS = 64;
/** Connections whose end was never recorded, since their session was killed, count as ended beyond this many. */
const OPEN_CONNECTIONS = 512;

/**
 * Projects the event log to exchanges. Deterministic: the same events in the same order give the same snapshots, so
 * that what a window shows can be thrown away and built again. Holds what is waiting and a bounded rest.
 */
export class Correlator {
  private readonly connections = new Map<ConnectionId, ConnectionState>();
  private readonly ended = new BoundedMap<ConnectionId, ConnectionState>(ENDED_CONNECTIONS);
  private readonly chains = new Chains();
  private readonly touched = new Map<number, ExchangeState>();
  private readonly memories = new ServerMemories();
  private readonly projection: Projection;
  private readonly messages: MessageProjector;

  constructor(judge: Judge) {
    this.projection = {
      judge,
      touch: (state) => this.touched.set(state.key, state),
      memoryOf: ({ server }) => this.memories.of(server),
    };
    this.messages = new MessageProjector(this.projection, this.chains, (connection, passing, placed) =>
      this.inspect(connection, passing, placed),
    );
  }

  /** What is held, in things that grow with traffic: bounded, whatever comes. */
  get size(): number {
    let size = this.memories.size + this.chains.size;
    for (const connections of [this.connections, this.ended]) {
      for (const connection of connections.values()) {
        size += connection.size;
      }
    }
    return size;
  }

  /** Takes the next event in order of `seq`; gives a snapshot of each exchange that it began or changed, by key. */
  push(event: LogEvent): readonly Exchange[] {
    this.touched.clear();
    this.project(this.connectionOf(event.connection), event);
    this.release(event.connection);
    const changed = [...this.touched.values()].sort((a, b) => a.key - b.key);
    return changed.map(snapshotOf);
  }

  private project(connection: ConnectionState, event: LogEvent): void {
    const { body } = event;
    switch (body.kind) {
      case 'message':
        this.messages.push(connection, event, body);
        return;
      case 'noise':
        this.note(this.single(event, noiseRow(body)), event, detectNoise(body));
        return;
      case 'stderr':
        connection.addStderr(body.line);
        return;
      case 'http':
        this.http(connection, event, body);
        return;
      case 'lifecycle':
        projectLifecycle(this.projection, connection, event, body.detail);
        return;
      case 'attempt':
        for (const changed of this.chains.decide(event, body)) {
          this.projection.touch(changed);
        }
        return;
      case 'local-end':
        projectLocalEnd(this.projection, connection, event, body);
        return;
      case 'note':
        this.noted(connection, event, body);
        return;
      default:
        assertNever(body);
    }
  }

  /** An injected fault belongs to its request, and so gets a row of its own only when that was never seen. */
  private noted(connection: ConnectionState, event: LogEvent, body: NoteBody): void {
    const { note } = body;
    const { state } =
      note.type === 'injected'
        ? (connection.findWaiting('client', note.requestId) ?? connection.findRecent('client', note.requestId) ?? {})
        : {};
    if (note.type !== 'injected' || state === undefined) {
      this.single(event, noteRow(body));
      return;
    }
    const { fault, rule, detail } = note;
    const injected = { fault, rule, ...(detail === undefined ? {} : { detail }) };
    // A process that is killed takes with it all that waits, and its connection: none of that is its own doing either.
    const isShared = connection.hasProcess && (fault === 'kill' || fault === 'cut');
    const others = isShared ? [...connection.allWaiting('client'), connection.row] : [];
    for (const each of new Set([state, ...others])) {
      if (each !== undefined) {
        addInjected(each, injected);
        relate(each, event.seq);
        this.projection.touch(each);
      }
    }
  }

  /** A row of one event, which begins and ends with it. */
  private single(event: LogEvent, row: SingleRow): ExchangeState {
    const { isTruncated, ...start } = row;
    const state = beginExchange(event, start);
    state.end = { seq: event.seq, us: event.wallUs, firmness: 'answer' };
    if (isTruncated) {
      state.marks.add('truncated');
    }
    this.projection.touch(state);
    return state;
  }

  private inspect(connection: ConnectionState, passing: Passing, placed: Placed): void {
    const { state } = placed;
    const anomalies = anomaliesOf(new Scene(connection, passing, placed, this.memories.of(state.server)));
    for (const anomaly of anomalies) {
      addAnomaly(state, anomaly);
    }
  }

  /** An anomaly of an HTTP exchange that carried nothing gets a row of its own. */
  private http(connection: ConnectionState, event: LogEvent, body: HttpBody): void {
    const state = projectHttp(this.projection, connection, event, body);
    const found = detectHttp(body, state, connection);
    if (found.length > 0) {
      this.note(state ?? this.single(event, httpRow(body)), event, found);
    }
  }

  private note(state: ExchangeState, event: LogEvent, found: readonly Found[]): void {
    for (const { code, args } of found) {
      addAnomaly(state, anomalyOf(code, event.seq, args));
    }
  }

  private connectionOf(id: ConnectionId): ConnectionState {
    const known = this.connections.get(id) ?? this.ended.get(id);
    if (known !== undefined) {
      return known;
    }
    const state = new ConnectionState();
    this.connections.set(id, state);
    const [oldest] = this.connections;
    if (this.connections.size > OPEN_CONNECTIONS && oldest !== undefined) {
      this.connections.delete(oldest[0]);
      this.ended.set(oldest[0], oldest[1]);
    }
    return state;
  }

  /** An ended connection is kept only as long as few others have ended after it. */
  private release(id: ConnectionId): void {
    const state = this.connections.get(id);
    if (state?.hasEnded === true) {
      this.connections.delete(id);
      this.ended.set(id, state);
    }
  }
}

interface SingleRow {
  readonly kind: 'noise' | 'note';
  readonly method: string;
  readonly initiator: 'client' | 'server';
  readonly target: string;
  readonly bytes: number;
  readonly isTruncated: boolean;
}

function noiseRow({ problem, raw, bytes }: NoiseBody): SingleRow {
  return {
    kind: 'noise',
    method: problem,
    initiator: 'server',
    target: shorten(raw.slice(0, 400), 200),
    bytes,
    isTruncated: problem === 'frame-too-large',
  };
}

function httpRow({ method, status }: HttpBody): SingleRow {
  return {
    kind: 'note',
    method: 'http',
    initiator: 'client',
    target: `${method} ${status ?? ''}`.trimEnd(),
    bytes: 0,
    isTruncated: false,
  };
}

function noteRow({ note }: NoteBody): SingleRow {
  switch (note.type) {
    case 'gap':
      return {
        kind: 'note',
        method: 'gap',
        initiator: 'client',
        target: note.reason,
        bytes: note.bytes,
        isTruncated: false,
      };
    case 'evicted':
      return {
        kind: 'note',
        method: 'evicted',
        initiator: 'client',
        target: `log.evicted.${note.reason}`,
        bytes: note.bytes,
        isTruncated: false,
      };
    case 'mark':
      return {
        kind: 'note',
        method: 'mark',
        initiator: 'client',
        target: shorten(note.text, 200),
        bytes: 0,
        isTruncated: false,
      };
    case 'injected':
      return {
        kind: 'note',
        method: 'injected',
        initiator: 'client',
        target: `fault.injected.${note.fault}`,
        bytes: 0,
        isTruncated: false,
      };
    default:
      return assertNever(note);
  }
}
