import type { EventBody } from '../../../../../src/protocol/events.ts';
import type { JsonObject, JsonValue } from '../../../../../src/protocol/jsonrpc.ts';
import { finalStates, lifecycle, received, recorded, sent } from '../support.ts';

/** `<row's method>: <code> <args> at <pointer> in #<seq>` of every anomaly of a record, without the parts that are absent. */
export function found(bodies: readonly EventBody[]): readonly string[] {
  return finalStates(recorded(bodies)).flatMap(({ method, anomalies = [] }) =>
    anomalies.map(({ code, args, pointer, seq }) => {
      const words = Object.entries(args).map(([name, value]) => `${name}=${value}`);
      return [`${method}: ${code}`, ...words, ...(pointer === undefined ? [] : [`at ${pointer}`]), `#${seq}`].join(' ');
    }),
  );
}

/** Only the codes, in order. */
export function codes(bodies: readonly EventBody[]): readonly string[] {
  return finalStates(recorded(bodies)).flatMap(({ anomalies = [] }) => anomalies.map(({ code }) => code));
}

export const ask = (id: string | number, method: string, params?: JsonObject): EventBody =>
  sent({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });

export const answer = (id: string | number, result: JsonValue): EventBody => received({ jsonrpc: '2.0', id, result });

export const refuse = (id: string | number, code: number, message = 'no'): EventBody =>
  received({ jsonrpc: '2.0', id, error: { code, message } });

export const tell = (method: string, params?: JsonObject): EventBody =>
  sent({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });

export const hear = (method: string, params?: JsonObject): EventBody =>
  received({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });

export const serverAsks = (id: string | number, method: string, params?: JsonObject): EventBody =>
  received({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });

export const clientAnswers = (id: string | number, result: JsonValue): EventBody =>
  sent({ jsonrpc: '2.0', id, result });

/** A process, the handshake of a legacy revision, and nothing unusual; the events 1 to 5. */
export function handshake(
  revision = '2025-11-25',
  server: JsonObject = { tools: { listChanged: true }, resources: {}, prompts: {}, logging: {} },
  client: JsonObject = { sampling: {}, roots: {}, elicitation: {} },
): readonly EventBody[] {
  return [
    lifecycle({ step: 'spawn', command: 'node', args: [] }),
    ask('i', 'initialize', {
      protocolVersion: revision,
      capabilities: client,
      clientInfo: { name: 'c', version: '1' },
    }),
    answer('i', { protocolVersion: revision, capabilities: server, serverInfo: { name: 's', version: '1' } }),
    tell('notifications/initialized'),
    lifecycle({ step: 'initialized', revision, capabilities: [], durationUs: 1 }),
  ];
}

export const MODERN = '2026-07-28';

/** `params` with the members of `_meta` that 2026-07-28 requires. */
export function modern(params: JsonObject = {}, meta: JsonObject = {}): JsonObject {
  return {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientCapabilities': {},
      ...meta,
    },
  };
}

/** A process that speaks 2026-07-28; the events 1 and 2. */
export const modernStart: readonly EventBody[] = [
  lifecycle({ step: 'spawn', command: 'node', args: [] }),
  lifecycle({ step: 'initialized', revision: MODERN, capabilities: [], durationUs: 1 }),
];

export const text = (words: string, more: JsonObject = {}): JsonObject => ({
  content: [{ type: 'text', text: words }],
  ...more,
});
