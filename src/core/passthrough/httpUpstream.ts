import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import tls from 'node:tls';

/** Time for a connection to the server to be made. */
const CONNECT_MS = 30_000;

export interface Upstream {
  readonly url: URL;
  /** Opens a request on the server's side of a client's socket. */
  request(client: Socket, method: string, path: string, headers: readonly string[]): http.ClientRequest;
  /** Lets all sockets go. */
  close(): void;
}

/**
 * The server behind the tap. Each socket of a client has one of its own on the other side, which lives as long: a server
 * that closes an idle connection is seen to do so, rather than fail the next request that would have been sent on it.
 */
export function createUpstream(url: URL, ca: string | undefined): Upstream {
  const isTls = url.protocol === 'https:';
  const agents = new Map<Socket, http.Agent>();
  const settings = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, scheduling: 'lifo' } as const;
  const trust = ca === undefined ? {} : { ca: [...tls.rootCertificates, ca] };

  function agentOf(client: Socket): http.Agent {
    const known = agents.get(client);
    if (known !== undefined) {
      return known;
    }
    const agent = isTls ? new https.Agent({ ...settings, ...trust }) : new http.Agent(settings);
    agents.set(client, agent);
    client.once('close', () => {
      agents.delete(client);
      agent.destroy();
    });
    return agent;
  }

  return {
    url,
    request(client, method, path, headers) {
      const request = (isTls ? https : http).request({
        protocol: url.protocol,
        // An address in brackets is one only in a URL.
        host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
        port: url.port === '' ? (isTls ? 443 : 80) : url.port,
        method,
        path,
        headers: headers as string[],
        setDefaultHeaders: false,
        agent: agentOf(client),
      });
      request.once('socket', (socket) => {
        if (socket.connecting) {
          limitConnecting(request, socket);
        }
        followIdleEnd(client, socket);
      });
      return request;
    },
    close() {
      for (const agent of agents.values()) {
        agent.destroy();
      }
      agents.clear();
    },
  };
}

function limitConnecting(request: http.ClientRequest, socket: Socket): void {
  const timer = setTimeout(() => {
    request.destroy(
      Object.assign(new Error('The connection was not made in time.'), { code: 'ETIMEDOUT', syscall: 'connect' }),
    );
  }, CONNECT_MS);
  const stop = () => clearTimeout(timer);
  socket.once('connect', stop).once('close', stop);
}

const followed = new WeakSet<Socket>();
/** Sockets of clients on which an exchange is under way. */
const busy = new WeakSet<Socket>();

/** Marks a client's socket while an exchange is under way on it. */
export function markBusy(client: Socket, isBusy: boolean): void {
  if (isBusy) {
    busy.add(client);
  } else {
    busy.delete(client);
  }
}

/** Ends the client's socket when the server has ended its own while nothing was under way. */
function followIdleEnd(client: Socket, socket: Socket): void {
  if (!followed.has(socket)) {
    followed.add(socket);
    socket.once('close', () => {
      if (!busy.has(client)) {
        client.end();
      }
    });
  }
}
