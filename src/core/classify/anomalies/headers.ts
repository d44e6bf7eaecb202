import type { HttpBody } from '../../../protocol/events.ts';
import { isModern } from '../../../protocol/revisions.ts';
import type { ConnectionState } from '../connectionState.ts';
import type { ExchangeState } from '../exchangeState.ts';
import { shorten } from '../json.ts';
import type { Found } from './scene.ts';

/** Of these requests the header `Mcp-Name` repeats what they name (2026-07-28, "Standard Request Headers"). */
const NAMED: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);
const BASE64 = /^=\?base64\?[A-Za-z0-9+/=]*\?=$/;
/** Statuses that 2026-07-28 gives to its errors. */
const STATUSES: Readonly<Record<number, number>> = { [-32601]: 404, [-32020]: 400, [-32021]: 400, [-32022]: 400 };

/** An HTTP exchange against the message that it carried: headers, status, sessions, and the transport itself. */
export function detectHttp(
  body: HttpBody,
  state: ExchangeState | undefined,
  connection: ConnectionState,
): readonly Found[] {
  const revision = state?.revision ?? connection.revision;
  const found: Found[] = [];
  // Streamable HTTP answers a request; only the older transport takes it with 202 and answers on the other stream.
  if (body.method === 'POST' && body.status === 202 && state?.kind === 'request' && once(connection, 'sse')) {
    found.push({ code: 'deprecatedTransport' });
  }
  if (!isModern(revision)) {
    return found;
  }
  if (header(body.requestHeaders, 'mcp-session-id') !== undefined && once(connection, 'session')) {
    found.push({ code: 'sessionOnModern' });
  }
  if (state === undefined || state.kind !== 'request' || state.initiator !== 'client' || body.method !== 'POST') {
    return found;
  }
  const expected: readonly (readonly [name: string, value: string | undefined])[] = [
    ['MCP-Protocol-Version', revision],
    ['Mcp-Method', state.method],
    ...(NAMED.has(state.method) ? [['Mcp-Name', state.target] as const] : []),
  ];
  for (const [name, meant] of expected) {
    const sent = header(body.requestHeaders, name.toLowerCase());
    if (sent === undefined) {
      found.push({ code: 'headerMissing', args: { header: name } });
    } else if (meant !== undefined && !BASE64.test(sent) && sent.trim() !== meant) {
      found.push({
        code: 'headerMismatch',
        args: { header: name, sent: shorten(sent, 80), meant: shorten(meant, 80) },
      });
    }
  }
  return [...found, ...statusOf(body, state)];
}

function statusOf({ status }: HttpBody, { verdict }: ExchangeState): readonly Found[] {
  const code = verdict?.outcome === 'protocol_error' ? verdict.signals[0]?.args['code'] : undefined;
  const expected = typeof code === 'number' && Object.hasOwn(STATUSES, code) ? STATUSES[code] : undefined;
  return expected === undefined || status === undefined || status === expected
    ? []
    : [{ code: 'statusMismatch', args: { code: code ?? '', status, expected } }];
}

/** Recorders keep headers under names in whatever case. */
function header(headers: HttpBody['requestHeaders'], name: string): string | undefined {
  const key = Object.keys(headers).find((one) => one.toLowerCase() === name);
  return key === undefined ? undefined : headers[key];
}

function once({ facts }: ConnectionState, what: string): boolean {
  const isNew = !facts.said.has(`http ${what}`);
  facts.said.add(`http ${what}`);
  return isNew;
}
