const LF = 0x0a;
const CR = 0x0d;
/** An endpoint event is a line or two; a stream whose first event is longer has none. */
const MAX_EVENT_BYTES = 16 * 1024;
const START = Buffer.from('event:');

export interface EndpointRewriter {
  /** What to forward now, which may be nothing yet. */
  push(chunk: Uint8Array): Uint8Array;
  /** What is still held when the stream ends. */
  end(): Uint8Array;
}

/**
 * Watches for the event that opens a stream of HTTP+SSE (2024-11-05): `endpoint`, whose data says where the client has to
 * POST. A relative one leads back through the tap by itself. An absolute one at the server's own origin would lead past it,
 * and is refused by clients besides, since it is not where they connected to: it is changed to `ownOrigin`, that one field
 * of the stream and nothing else. Whatever does not begin with that event is let through at once.
 */
export function createEndpointRewriter(
  serverOrigin: string,
  ownOrigin: string,
  onRewritten: (from: string, to: string) => void,
): EndpointRewriter {
  let held: Buffer | undefined = Buffer.alloc(0);

  function letGo(): Uint8Array {
    const all = held ?? Buffer.alloc(0);
    held = undefined;
    return all;
  }

  return {
    push(chunk) {
      if (held === undefined) {
        return chunk;
      }
      held = Buffer.concat([held, chunk]);
      if (!mayBeEndpoint(held) || held.length > MAX_EVENT_BYTES) {
        return letGo();
      }
      const end = endOfEvent(held);
      if (end === -1) {
        return Buffer.alloc(0);
      }
      const event = held.subarray(0, end).toString('utf8');
      const rest = held.subarray(end);
      const data = /^data:[ ]?([^\r\n]*)/m.exec(event);
      const from = data?.[1] ?? '';
      if (!/^event:[ ]?endpoint\r?$/m.test(event) || !URL.canParse(from) || new URL(from).origin !== serverOrigin) {
        return letGo();
      }
      const { pathname, search, hash } = new URL(from);
      const to = `${ownOrigin}${pathname}${search}${hash}`;
      held = undefined;
      onRewritten(from, to);
      return Buffer.concat([Buffer.from(event.replace(from, () => to)), rest]);
    },
    end: letGo,
  };
}

function mayBeEndpoint(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, START.length);
  return bytes.subarray(0, length).equals(START.subarray(0, length));
}

/** Where the first event ends, its blank line included; -1 when it has not come yet. */
function endOfEvent(bytes: Buffer): number {
  for (let lf = bytes.indexOf(LF); lf !== -1; lf = bytes.indexOf(LF, lf + 1)) {
    const next = bytes[lf + 1] === CR ? lf + 2 : lf + 1;
    if (bytes[next] === LF) {
      return next + 1;
    }
  }
  return -1;
}
