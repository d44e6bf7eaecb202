import type { TransportFailure } from '../../protocol/events.ts';

/** How much of a body goes into a failure's message, in characters; the whole is in the `http` event. */
const SNIPPET_CHARACTERS = 300;

type Reason = TransportFailure['reason'];

/** System and undici codes of a connection that was never made, so that nothing can have been executed. */
const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const UNRESOLVED: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME', 'EAI_FAIL']);
const RESET: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET', 'UND_ERR_ABORTED']);
const TLS =
  /^(?:ERR_TLS|ERR_SSL|EPROTO$|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY|DECRYPT)|HOSTNAME_MISMATCH|INVALID_CA)/;

/** Why a fetch, or the reading of its body, failed: from the system's code, which undici keeps in the `cause`. */
export function networkFailure(error: unknown): TransportFailure {
  for (const link of causes(error)) {
    const code = stringMember(link, 'code');
    const reason = code === undefined ? undefined : reasonOf(code, stringMember(link, 'syscall'));
    if (code !== undefined && reason !== undefined) {
      return { reason, code, message: stringMember(link, 'message') || code };
    }
  }
  const chain = [...causes(error)];
  const code = chain.map((link) => stringMember(link, 'code')).find((text) => text !== undefined);
  const message = chain.map((link) => stringMember(link, 'message') ?? '').findLast((text) => text !== '');
  return { reason: 'unknown', message: message ?? String(error), ...(code === undefined ? {} : { code }) };
}

function reasonOf(code: string, syscall: string | undefined): Reason | undefined {
  if (NEVER_CONNECTED.has(code) || (code === 'ETIMEDOUT' && syscall === 'connect')) {
    return 'refused';
  }
  if (UNRESOLVED.has(code)) {
    return 'unresolved';
  }
  if (RESET.has(code)) {
    return 'reset';
  }
  return TLS.test(code) ? 'tls' : undefined;
}

/** The error and what caused it, outermost first. Of several, one for each address that was tried, the first. */
function* causes(error: unknown): Generator<object> {
  let link = error;
  for (let depth = 0; depth < 8 && typeof link === 'object' && link !== null; depth += 1) {
    if ('errors' in link && Array.isArray(link.errors) && link.errors.length > 0) {
      link = link.errors[0];
    } else {
      yield link;
      link = 'cause' in link ? link.cause : undefined;
    }
  }
}

function stringMember(value: object, key: string): string | undefined {
  const member: unknown = Reflect.get(value, key);
  return typeof member === 'string' ? member : undefined;
}

/** An HTTP answer that did not answer the JSON-RPC request it was for. */
export interface UnfitAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Empty when there was none. */
  readonly body: string;
  /** Whether the request named a session. */
  readonly hadSession: boolean;
  /** Whether the request was of a revision without sessions (2026-07-28). */
  readonly isStateless?: boolean;
  /** Of a JSON-RPC error in the body. */
  readonly errorCode?: number;
  readonly retryAfterMs?: number;
}

/** Why there was no answer, in the order in which the causes exclude each other. */
export function unfitAnswer(answer: UnfitAnswer): TransportFailure {
  const { status, contentType, body } = answer;
  const facts = { status, ...(answer.retryAfterMs === undefined ? {} : { retryAfterMs: answer.retryAfterMs }) };
  const fail = (reason: Reason, message: string): TransportFailure => ({ reason, message, ...facts });
  if (isSessionLost(answer)) {
    return fail('session-lost', `The server does not know the session any more: HTTP ${status}${quoted(body)}`);
  }
  if (status === 401 || status === 403) {
    return fail('unauthorized', `The server refused access: HTTP ${status}${quoted(body)}`);
  }
  if (status >= 300) {
    return fail('http-status', `The server answered HTTP ${status}${quoted(body)}`);
  }
  if (status === 202 || body === '') {
    return fail('accepted-without-answer', `The server answered HTTP ${status} and nothing else.`);
  }
  const type = contentType === '' ? 'without a content type' : `of type ${contentType}`;
  return fail('not-json-rpc', `The answer ${type} is no answer to the request${quoted(body)}`);
}

/**
 * Whether an answer says that the session is gone: 404 for a request that named one (MCP Streamable HTTP, "Session
 * Management"), or 400 with a body that speaks of sessions, as servers on the TypeScript SDK answer. 404 with the error
 * -32601 is a method that was not found (MCP 2026-07-28).
 */
export function isSessionLost({ status, hadSession, isStateless, body, errorCode }: UnfitAnswer): boolean {
  if (isStateless === true) {
    return false;
  }
  return (status === 404 && hadSession && errorCode !== -32601) || (status === 400 && /session/i.test(body));
}

function quoted(body: string): string {
  const text = body.slice(0, SNIPPET_CHARACTERS).trim();
  return text === '' ? '.' : `: ${text}${body.length > SNIPPET_CHARACTERS ? '…' : ''}`;
}
