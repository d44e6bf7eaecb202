import type { Direction, LifecycleStep } from '../../protocol/events.ts';
import { isObject, memberOf } from '../../protocol/json.ts';
import type { JsonRpcId, JsonValue } from '../../protocol/jsonrpc.ts';
import type { ParsedFrame } from '../transport/envelope.ts';

const META = 'io.modelcontextprotocol/';
const MAX_OPEN = 64;
const NAME_BYTES = 2048;

export type Initialized = Extract<LifecycleStep, { step: 'initialized' }>;

export interface HandshakeListener {
  onClient(name: string): void;
  onServer(name: string): void;
  /** The client's first request that opens a conversation was answered, well or badly. */
  onAnswered(): void;
  /** The connection is up: after `initialize` (up to 2025-11-25), or the first result of a stateless server (2026-07-28). */
  onUp(step: Omit<Initialized, 'durationUs'>): void;
}

/**
 * Reads from the messages of one connection who speaks and when it is up. `clientInfo` and `serverInfo` are in `initialize`
 * and its result (up to 2025-11-25), and in the `_meta` of any request and result (2026-07-28).
 */
export function watchHandshake(listener: HandshakeListener): (direction: Direction, frame: ParsedFrame) => void {
  /** Requests whose answers tell something: their method, and the revision that they name. */
  const open = new Map<JsonRpcId, { readonly method: string; readonly revision: string | undefined }>();
  let clientName: string | undefined;
  let isUp = false;

  function asked(id: JsonRpcId, method: string, message: JsonValue | undefined): void {
    const params = memberOf(message, 'params');
    const meta = memberOf(params, '_meta');
    const info = method === 'initialize' ? memberOf(params, 'clientInfo') : memberOf(meta, `${META}clientInfo`);
    const name = text(memberOf(info, 'name'));
    if (name !== undefined && name !== clientName) {
      clientName = name;
      listener.onClient(name.slice(0, NAME_BYTES));
    }
    // `initialize` begins anew, whatever there was before.
    isUp &&= method !== 'initialize';
    if (!isUp && open.size < MAX_OPEN) {
      open.set(id, { method, revision: text(memberOf(meta, `${META}protocolVersion`)) });
    }
  }

  function answered(id: JsonRpcId, message: JsonValue | undefined): void {
    const request = open.get(id);
    if (request === undefined) {
      return;
    }
    open.delete(id);
    const result = memberOf(message, 'result');
    const isInitialize = request.method === 'initialize';
    const serverInfo = isInitialize
      ? memberOf(result, 'serverInfo')
      : memberOf(memberOf(result, '_meta'), `${META}serverInfo`);
    const name = text(memberOf(serverInfo, 'name'))?.slice(0, NAME_BYTES);
    if (name !== undefined) {
      listener.onServer(name);
    }
    const revision = isInitialize ? text(memberOf(result, 'protocolVersion')) : request.revision;
    if (result === undefined) {
      // A legacy server refuses `server/discover`, and is asked to `initialize` next.
      if (request.method !== 'server/discover') {
        listener.onAnswered();
      }
      return;
    }
    if (revision !== undefined && !isUp) {
      isUp = true;
      open.clear();
      const version = text(memberOf(serverInfo, 'version'));
      const capabilities = memberOf(result, 'capabilities');
      listener.onUp({
        step: 'initialized',
        revision,
        ...(name === undefined ? {} : { serverName: name }),
        ...(version === undefined ? {} : { serverVersion: version }),
        capabilities: Object.keys(isObject(capabilities) ? capabilities : {}),
      });
    }
    listener.onAnswered();
  }

  return (direction, { envelope, message }) => {
    if (direction === 'sent' && envelope.kind === 'request') {
      asked(envelope.id, envelope.method, message);
    } else if (direction === 'received' && open.size > 0) {
      if (envelope.kind === 'result' || (envelope.kind === 'error' && envelope.id !== null)) {
        // An error's id was just said not to be null, which the compiler does not see through the union.
        answered(envelope.id as JsonRpcId, message);
      }
    }
  };
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
