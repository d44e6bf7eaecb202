import type { HostToPage, PageToHost, TimelineRequests } from '../src/protocol/webview.ts';

type Method = keyof TimelineRequests;

/** Why a request was rejected: the host's own code and sentence, or `disposed`. */
class RpcError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
  }
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: RpcError) => void;
}

export interface Rpc {
  /** Resolves with the host's result; rejects with an `RpcError` that the host sent or that `dispose` caused. */
  request<M extends Method>(method: M, params: TimelineRequests[M]['params']): Promise<TimelineRequests[M]['result']>;
  /** Takes a reply. One without a waiting request (late, duplicate) is ignored. */
  accept(reply: Extract<HostToPage, { type: 'reply' }>): void;
  /** Rejects everything pending and everything asked later. */
  dispose(): void;
}

/** Typed requests over `postMessage`. `post` must not throw. */
export function createRpc(post: (message: PageToHost) => void): Rpc {
  const pending = new Map<number, Pending>();
  let nextId = 1;
  let isDisposed = false;

  return {
    request(method, params) {
      if (isDisposed) {
        return Promise.reject(new RpcError('disposed', `The page was closed before "${method}" was asked.`));
      }
      const id = nextId++;
      return new Promise((resolve, reject) => {
        // The contract pairs each method with its result, and the host checks what it sends.
        pending.set(id, { resolve: resolve as (result: unknown) => void, reject });
        post({ type: 'request', id, method, params } as PageToHost);
      });
    },
    accept(reply) {
      const waiting = pending.get(reply.id);
      if (waiting === undefined) {
        return;
      }
      pending.delete(reply.id);
      if ('error' in reply) {
        waiting.reject(new RpcError(reply.error.code, reply.error.message));
      } else {
        waiting.resolve(reply.result);
      }
    },
    dispose() {
      isDisposed = true;
      for (const waiting of pending.values()) {
        waiting.reject(new RpcError('disposed', 'The page was closed before the answer came.'));
      }
      pending.clear();
    },
  };
}

/** The sentence to show for a rejected request. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
