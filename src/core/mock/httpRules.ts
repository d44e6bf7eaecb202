import { memberOf } from '../../protocol/json.ts';
import type { JsonValue } from '../../protocol/jsonrpc.ts';
import { isModern, REVISIONS } from '../../protocol/revisions.ts';
import { PROTOCOL_VERSION } from '../classify/messageShape.ts';

/** Why a request is not looked at: as HTTP and, where the body was a message, as JSON-RPC says it. */
export interface Refused {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly allow?: string;
}

export interface PostHead {
  readonly accept: string;
  readonly contentType: string;
  readonly protocolVersion: string | undefined;
  readonly mcpMethod: string | undefined;
  readonly mcpName: string | undefined;
  readonly sessionId: string | undefined;
}

/** What both eras ask of a POST (2025-11-25 and 2026-07-28, "Streamable HTTP"). */
export function refusedHead({ accept, contentType }: PostHead): Refused | undefined {
  const takes = (type: string) =>
    accept.toLowerCase().includes(type) || accept.includes('*/*') || accept.includes(`${type.split('/', 1)[0]}/*`);
  if (!takes('application/json') || !takes('text/event-stream')) {
    return {
      status: 406,
      code: -32000,
      message: 'Not Acceptable: the client must accept both application/json and text/event-stream',
    };
  }
  return /^\s*application\/json\s*(?:;|$)/i.test(contentType)
    ? undefined
    : { status: 415, code: -32000, message: 'Unsupported Media Type: Content-Type must be application/json' };
}

/** The revision of 2026-07-28 or later that a message says it is of; `undefined` of one of an era with a handshake. */
export function statelessRevision(message: JsonValue, { protocolVersion }: PostHead): string | undefined {
  const named = memberOf(memberOf(memberOf(message, 'params'), '_meta'), PROTOCOL_VERSION);
  const version = typeof named === 'string' ? named : protocolVersion;
  return isModern(version) ? version : undefined;
}

/** What 2026-07-28 asks of the headers: they say what the body says ("Request Metadata Headers"; -32020). */
export function refusedStateless(message: JsonValue, head: PostHead): Refused | undefined {
  const method = memberOf(message, 'method');
  if (typeof method !== 'string') {
    return undefined;
  }
  const params = memberOf(message, 'params');
  const version = memberOf(memberOf(params, '_meta'), PROTOCOL_VERSION);
  const mismatch = (header: string): Refused => ({
    status: 400,
    code: -32020,
    message: `Header mismatch: ${header} is missing or is not what the body says`,
  });
  if (typeof version === 'string' && head.protocolVersion !== version) {
    return mismatch('MCP-Protocol-Version');
  }
  if (head.mcpMethod !== method) {
    return mismatch('Mcp-Method');
  }
  const name = namedBy(method, params);
  return name !== undefined && decodeHeader(head.mcpName ?? '') !== name ? mismatch('Mcp-Name') : undefined;
}

function namedBy(method: string, params: JsonValue | undefined): string | undefined {
  const member =
    method === 'tools/call' || method === 'prompts/get' ? 'name' : method === 'resources/read' ? 'uri' : undefined;
  const name = member === undefined ? undefined : memberOf(params, member);
  return typeof name === 'string' ? name : undefined;
}

/** A value that no header can hold is written in base64 (2026-07-28, "Header value encoding"). */
function decodeHeader(value: string): string {
  const [, encoded] = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value) ?? [];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
}

/** What revisions with a handshake ask of the version that a request names (2025-06-18 on, "Protocol Version Header"). */
export function refusedVersion({ protocolVersion }: PostHead): Refused | undefined {
  return protocolVersion === undefined || REVISIONS.some((revision) => revision === protocolVersion)
    ? undefined
    : { status: 400, code: -32000, message: `Bad Request: Unsupported protocol version ${protocolVersion}` };
}
