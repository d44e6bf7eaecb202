import { formatText } from '../../base/text.ts';
import { jsonText, memberOf } from '../../protocol/json.ts';
import type { JsonObject, JsonRpcErrorObject, JsonRpcId, JsonValue } from '../../protocol/jsonrpc.ts';
import { isModern } from '../../protocol/revisions.ts';
import { mockTexts } from '../../protocol/texts/mock.ts';
import type { UnknownCall } from './answerBook.ts';
import type { MockStep, RecordedServer } from './recordedServer.ts';

/**
 * Codes of a mock's own errors, of the range that revisions leave to implementations. `docs/mock.md` tells them. A method
 * that was never called is -32601, as of a server that does not have it.
 */
export const MOCK_CODES = { unknownMethod: -32601, unknownCall: -32010, transport: -32011, version: -32022 } as const;

/** A complete answer to `id`. */
export function answer(
  id: JsonRpcId,
  outcome: { readonly result: JsonValue } | { readonly error: JsonRpcErrorObject },
): string {
  return JSON.stringify({ jsonrpc: '2.0', id, ...outcome });
}

/** Nothing is recorded for this call: which recorded ones are close, and where they differ. */
export function unknownCallError(
  method: string,
  params: JsonObject | undefined,
  unknown: UnknownCall,
): JsonRpcErrorObject {
  const name = memberOf(params, 'name') ?? memberOf(params, 'uri');
  const target = typeof name === 'string' ? `${method} ${JSON.stringify(name)}` : method;
  const [closest] = unknown.close;
  const sentences = unknown.isMethodKnown
    ? [
        formatText(mockTexts['mock.unknownCall'], { target }),
        ...(closest === undefined || closest.differs.length === 0
          ? []
          : [formatText(mockTexts['mock.close'], { places: closest.differs.map(placeText).join('; ') })]),
      ]
    : [formatText(mockTexts['mock.unknownMethod'], { method })];
  return {
    code: unknown.isMethodKnown ? MOCK_CODES.unknownCall : MOCK_CODES.unknownMethod,
    message: sentences.join(' '),
    data: {
      faultlineMock: unknown.isMethodKnown ? 'unknown-call' : 'unknown-method',
      close: unknown.close.map(({ params: recorded, differs }) => ({
        params: recorded ?? {},
        differs: differs.map(({ pointer, kind, before, after }) => ({
          at: pointer,
          kind,
          ...(before === undefined ? {} : { recorded: before }),
          ...(after === undefined ? {} : { asked: after }),
        })),
      })),
    },
  };
}

function placeText({ pointer, before, after }: UnknownCall['close'][number]['differs'][number]): string {
  return `${pointer === '' ? '/' : pointer} (recorded ${short(before)}, asked ${short(after)})`;
}

function short(value: JsonValue | undefined): string {
  const text = value === undefined ? 'nothing' : jsonText(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** How an exchange ended that carried no answer, over a transport that cannot end so. */
export function transportError(step: Extract<MockStep, { kind: 'http' | 'end' }>): JsonRpcErrorObject {
  const how = step.kind === 'http' ? `HTTP ${step.status}` : step.how;
  const data =
    step.kind === 'http'
      ? { status: step.status, headers: step.headers, body: step.body }
      : { how: step.how, code: step.code, signal: step.signal };
  return {
    code: MOCK_CODES.transport,
    message: formatText(mockTexts['mock.transport'], { how }),
    data: { faultlineMock: 'transport', ...data },
  };
}

/**
 * What a server answers that is not in the recording, since it begins in mid-session or the client that was recorded did not
 * ask: the handshake of its era, lists of what was called, `ping`. `undefined` where nothing follows from the recording.
 */
export function impliedAnswer(
  server: RecordedServer,
  method: string,
  params: JsonObject | undefined,
): { readonly result: JsonObject } | { readonly error: JsonRpcErrorObject } | undefined {
  const { revision } = server;
  const isStateless = isModern(revision);
  switch (method) {
    case 'ping':
      return { result: {} };
    case 'logging/setLevel':
      return { result: {} };
    case 'initialize': {
      const asked = memberOf(params, 'protocolVersion') ?? null;
      return isStateless && revision !== undefined
        ? {
            error: {
              code: MOCK_CODES.version,
              message: formatText(mockTexts['mock.version'], { revision }),
              data: { supported: [revision], requested: asked },
            },
          }
        : {
            result: {
              protocolVersion: revision ?? (typeof asked === 'string' ? asked : '2025-11-25'),
              capabilities: capabilitiesOf(server),
              serverInfo: server.serverInfo ?? { name: server.name, version: '' },
            },
          };
    }
    case 'server/discover':
      return isStateless && revision !== undefined
        ? {
            result: {
              ...complete(true),
              supportedVersions: [revision],
              capabilities: capabilitiesOf(server),
              _meta: { 'io.modelcontextprotocol/serverInfo': server.serverInfo ?? { name: server.name, version: '' } },
            },
          }
        : undefined;
    case 'tools/list':
      return list(
        'tools',
        namesOf(server, 'tools/call', 'name').map((name) => ({ name, inputSchema: { type: 'object' } })),
        isStateless,
      );
    case 'prompts/list':
      return list(
        'prompts',
        namesOf(server, 'prompts/get', 'name').map((name) => ({ name })),
        isStateless,
      );
    case 'resources/list':
      return list(
        'resources',
        namesOf(server, 'resources/read', 'uri').map((uri) => ({ uri, name: uri })),
        isStateless,
      );
    case 'resources/templates/list':
      return list('resourceTemplates', [], isStateless);
    default:
      return undefined;
  }
}

function list(member: string, items: readonly JsonObject[], isStateless: boolean): { readonly result: JsonObject } {
  return { result: { ...complete(isStateless), [member]: items } };
}

/** What every result of 2026-07-28 that can be kept says of itself. */
function complete(isStateless: boolean): JsonObject {
  return isStateless ? { resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' } : {};
}

function namesOf({ calls }: RecordedServer, method: string, member: string): readonly string[] {
  const names = calls.flatMap((call) => {
    const name = call.method === method ? memberOf(call.params, member) : undefined;
    return typeof name === 'string' ? [name] : [];
  });
  return [...new Set(names)];
}

/** What the server must have been able to do, by what it was asked. */
function capabilitiesOf({ calls }: RecordedServer): JsonObject {
  const groups = new Set(calls.map(({ method }) => method.split('/', 1)[0] ?? ''));
  const names = [
    ['tools', 'tools'],
    ['prompts', 'prompts'],
    ['resources', 'resources'],
    ['completion', 'completions'],
    ['logging', 'logging'],
  ] as const;
  return Object.fromEntries(names.filter(([group]) => groups.has(group)).map(([, capability]) => [capability, {}]));
}
