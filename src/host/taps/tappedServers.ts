import os from 'node:os';
import process from 'node:process';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { ConnectionId, LifecycleStep, LogEvent, ServerId, SessionId } from '../../protocol/events.ts';

/** Connections that are remembered; the one that was silent for the longest goes. */
const MAX_CONNECTIONS = 500;
const PREFIX = 'tap:';

/** One client's connections to one server, seen through taps of whichever process. */
export interface TappedServer {
  readonly server: ServerId;
  /** What the client calls itself. */
  readonly client: string;
  readonly connections: number;
  /** Of the connections, those that have not ended, as far as that can be told. */
  readonly open: number;
  /** Wall time of the latest event, µs. */
  readonly lastUs: number;
}

interface Connection {
  readonly session: SessionId;
  server: ServerId;
  client: string;
  isOpen: boolean;
  /** Process id of the server, over stdio. */
  pid: number | undefined;
  startUs: number;
  lastUs: number;
}

/** Says whether a process is there; one of before the machine's last start is not. */
export type IsAlive = (pid: number, startUs: number) => boolean;

/** Follows the events of a recording and keeps what taps have seen. Costs a look at each event's origin, and nothing else. */
export class TappedServers implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new Emitter<void>());
  /** Fires when a connection came, ended or has got its client's name. */
  readonly onDidChange: Event<void> = this.changed.event;
  private readonly connections = new Map<ConnectionId, Connection>();
  private readonly isAlive: IsAlive;

  constructor(onWillProject: Event<LogEvent>, isAlive: IsAlive = isRunning) {
    this.isAlive = isAlive;
    this.store.add(
      onWillProject((event) => {
        if (event.origin.startsWith(PREFIX)) {
          this.take(event);
        }
      }),
    );
  }

  /** By server and client, those with open connections first, then the ones seen last. `sessions`: those that are still recorded. */
  all(sessions: ReadonlySet<string>): readonly TappedServer[] {
    const groups = Map.groupBy(
      [...this.connections.values()].filter(({ session }) => sessions.has(session)),
      ({ server, client }) => JSON.stringify([server, client]),
    );
    return [...groups.values()]
      .flatMap(([first, ...more]) => (first === undefined ? [] : [this.summary(first, more)]))
      .sort((a, b) => Math.sign(b.open) - Math.sign(a.open) || b.lastUs - a.lastUs);
  }

  /** What the client of a connection calls itself. */
  clientOf(connection: string): string | undefined {
    return this.connections.get(connection as ConnectionId)?.client;
  }

  /** What the clients of a server call themselves, each once. */
  clientsOf(server: string): readonly string[] {
    const own = [...this.connections.values()].filter((connection) => connection.server === server);
    return [...new Set(own.map(({ client }) => client))];
  }

  get isEmpty(): boolean {
    return this.connections.size === 0;
  }

  /** Whether any connection may still end without that anybody writes it down: its tap was killed. */
  get hasOpen(): boolean {
    return [...this.connections.values()].some(({ isOpen }) => isOpen);
  }

  dispose(): void {
    this.store.dispose();
  }

  private summary(first: Connection, more: readonly Connection[]): TappedServer {
    const all = [first, ...more];
    return {
      server: first.server,
      client: first.client,
      connections: all.length,
      open: all.filter((one) => this.isOpen(one)).length,
      lastUs: Math.max(...all.map(({ lastUs }) => lastUs)),
    };
  }

  /** A tap that was killed has written no end: its server's process tells. */
  private isOpen(connection: Connection): boolean {
    const { isOpen, pid, startUs } = connection;
    if (isOpen && pid !== undefined && !this.isAlive(pid, startUs)) {
      connection.isOpen = false;
    }
    return connection.isOpen;
  }

  private take({ connection: id, session, server, origin, wallUs, body }: LogEvent): void {
    const client = origin.slice(PREFIX.length);
    const known = this.connections.get(id);
    const connection = known ?? {
      session,
      server,
      client,
      isOpen: true,
      pid: undefined,
      startUs: wallUs,
      lastUs: wallUs,
    };
    const before = known === undefined ? '' : stateOf(known);
    connection.server = server;
    connection.client = client;
    connection.lastUs = Math.max(connection.lastUs, wallUs);
    if (body.kind === 'lifecycle') {
      applyStep(connection, body.detail, wallUs);
    }
    if (known === undefined) {
      this.add(id, connection);
    }
    if (stateOf(connection) !== before) {
      this.changed.fire();
    }
  }

  private add(id: ConnectionId, connection: Connection): void {
    this.connections.set(id, connection);
    if (this.connections.size > MAX_CONNECTIONS) {
      const [oldest] = [...this.connections].sort(([, a], [, b]) => a.lastUs - b.lastUs);
      if (oldest !== undefined) {
        this.connections.delete(oldest[0]);
      }
    }
  }
}

function stateOf({ server, client, isOpen }: Connection): string {
  return JSON.stringify([server, client, isOpen]);
}

function applyStep(connection: Connection, detail: LifecycleStep, wallUs: number): void {
  switch (detail.step) {
    case 'started':
      connection.pid = detail.pid;
      connection.startUs = wallUs;
      break;
    case 'exited':
    case 'failed':
      connection.isOpen = false;
      break;
    case 'shutdown':
      connection.isOpen &&= detail.action !== 'session-deleted' && detail.action !== 'closed';
      break;
    default:
    // Nothing that says whether it goes on.
  }
}

function isRunning(pid: number, startUs: number): boolean {
  if (startUs / 1000 < Date.now() - os.uptime() * 1000) {
    return false;
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is somebody else's, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
