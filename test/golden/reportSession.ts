import { envelopeOf } from '../../src/core/classify/messageShape.ts';
import type { ConnectionId, EventBody, LogEvent, Origin, ServerId, SessionId } from '../../src/protocol/events.ts';
import type { JsonObject, JsonValue } from '../../src/protocol/jsonrpc.ts';
import { seededRandom } from '../unit/support/seededRandom.ts';

// A recorded week of three agents at two servers, made from a seed: the same numbers give the same events to the byte.

const START_US = 1_765_000_000_000_000;

interface Tool {
  readonly server: string;
  readonly name: string;
  readonly annotations?: JsonObject;
  /** Of the median call, ms. */
  readonly ms: number;
  readonly args: (n: number, pick: (limit: number) => number) => JsonObject;
  /** What may become of a call, by weight; what is left is a success. */
  readonly failures: readonly (readonly [weight: number, kind: FailureKind])[];
}

type FailureKind =
  | 'bad-date'
  | 'no-such-order'
  | 'silent'
  | 'partial'
  | 'internal'
  | 'bad-params'
  | 'timeout'
  | 'exit'
  | 'huge'
  | 'slow'
  | 'rate-limit'
  | 'no-schema';

const TOOLS: readonly Tool[] = [
  {
    server: 'mcp.json:orders',
    name: 'search_orders',
    annotations: { readOnlyHint: true },
    ms: 40,
    args: (n, pick) => ({ query: `order ${pick(500)}`, since: `2026-${pick(12)}-1`, page: n % 7 }),
    failures: [
      [0.06, 'bad-date'],
      [0.004, 'huge'],
      [0.006, 'slow'],
    ],
  },
  {
    server: 'mcp.json:orders',
    name: 'get_order',
    annotations: { readOnlyHint: true },
    ms: 12,
    args: (_, pick) => ({ id: `ord_${pick(900)}` }),
    failures: [
      [0.05, 'no-such-order'],
      [0.05, 'silent'],
    ],
  },
  {
    server: 'mcp.json:orders',
    name: 'create_order',
    ms: 90,
    args: (n, pick) => ({ sku: `SKU-${pick(300)}`, quantity: pick(9), note: `call ${n}` }),
    failures: [
      [0.03, 'timeout'],
      [0.02, 'internal'],
      [0.002, 'exit'],
    ],
  },
  {
    server: 'mcp.json:orders',
    name: 'import_rows',
    annotations: { readOnlyHint: false, idempotentHint: true },
    ms: 300,
    args: (_, pick) => ({ rows: Array.from({ length: 3 }, () => pick(1000)) }),
    failures: [
      [0.12, 'partial'],
      [0.02, 'no-schema'],
    ],
  },
  {
    server: 'mcp.json:mail',
    name: 'send_mail',
    ms: 150,
    args: (n, pick) => ({ to: `person${pick(60)}@example.org`, subject: `No. ${n}`, api_key: `sk-live-${pick(9)}` }),
    failures: [
      [0.05, 'rate-limit'],
      [0.03, 'bad-params'],
    ],
  },
  {
    server: 'mcp.json:mail',
    name: 'list_folders',
    annotations: { readOnlyHint: true },
    ms: 8,
    args: () => ({}),
    failures: [],
  },
];

const UNCALLED = ['delete_order', 'merge_orders'];

const AGENTS: readonly { readonly origin: Origin; readonly repeats: number; readonly mends: number }[] = [
  { origin: 'tap:cursor', repeats: 0.55, mends: 0.15 },
  { origin: 'tap:claude-code', repeats: 0.08, mends: 0.7 },
  { origin: 'client', repeats: 0.2, mends: 0.4 },
];

/** `calls` calls of tools with their answers, and listings at the beginning of each session. */
export function* reportSession(calls: number, seed = 1): Generator<LogEvent, void, undefined> {
  const random = seededRandom(seed);
  const pick = (limit: number) => 1 + Math.floor(random() * limit);
  let seq = 0;
  let us = START_US;
  let id = 0;
  let made = 0;
  let context = { session: 's1' as SessionId, origin: 'client' as Origin };
  const connectionOf = (server: string) => `${context.session} ${server}` as ConnectionId;
  const event = (server: string, body: EventBody): LogEvent => {
    seq += 1;
    return {
      seq,
      ...context,
      server: server as ServerId,
      connection: connectionOf(server),
      wallUs: us,
      monoUs: us,
      body,
    };
  };
  const message = (server: string, direction: 'sent' | 'received', json: JsonObject): LogEvent => {
    const raw = JSON.stringify(json);
    return event(server, { kind: 'message', direction, raw, bytes: raw.length, envelope: envelopeOf(json) });
  };

  function* call(tool: Tool, args: JsonValue, kind: FailureKind | undefined): Generator<LogEvent, void, undefined> {
    id += 1;
    made += 1;
    const params = { name: tool.name, arguments: args };
    yield message(tool.server, 'sent', { jsonrpc: '2.0', id, method: 'tools/call', params });
    us += Math.round(tool.ms * 1000 * (0.5 + random() * (kind === 'slow' ? 600 : 1)));
    if (kind === 'timeout') {
      us += 30_000_000;
      const end = { kind: 'timeout', limit: 'total', afterMs: 30_000, progressSeen: false } as const;
      yield event(tool.server, { kind: 'local-end', id, end });
    } else if (kind === 'exit') {
      const failure = { reason: 'exited', message: `the process exited with code ${pick(3)}`, exitCode: 1 } as const;
      yield event(tool.server, { kind: 'local-end', id, end: { kind: 'transport', failure } });
    } else {
      yield message(tool.server, 'received', { jsonrpc: '2.0', id, ...answerOf(tool, kind, pick) });
    }
    us += pick(400_000);
  }

  while (made < calls) {
    const number = Math.floor(made / 1500);
    const agent = AGENTS[number % AGENTS.length] ?? { origin: 'client', repeats: 0, mends: 0 };
    context = { session: `2026-12-0${1 + number}T09:00:00.000Z-${4000 + number}` as SessionId, origin: agent.origin };
    us += 3_600_000_000;
    const servers = [...new Set(TOOLS.map((tool) => tool.server))];
    for (const server of servers) {
      id += 1;
      yield message(server, 'sent', { jsonrpc: '2.0', id, method: 'tools/list' });
      us += 2000;
      yield message(server, 'received', { jsonrpc: '2.0', id, result: { tools: listingOf(server) } });
    }
    const until = Math.min(calls, (number + 1) * 1500);
    while (made < until) {
      const tool = TOOLS[Math.min(pick(TOOLS.length + 2), TOOLS.length) - 1] ?? TOOLS[0];
      if (tool === undefined) {
        return;
      }
      let args: JsonObject = tool.args(made, pick);
      let kind = failureOf(tool, random());
      yield* call(tool, args, kind);
      while (kind !== undefined && kind !== 'huge' && kind !== 'slow' && made < until) {
        const mood = random();
        if (mood < agent.repeats) {
          yield* call(tool, args, kind);
        } else if (mood < agent.repeats + agent.mends) {
          args = { ...tool.args(made, pick), ...(kind === 'bad-date' ? { since: '2026-01-01' } : {}) };
          kind = undefined;
          yield* call(tool, args, kind);
        } else {
          if (kind === 'silent' && made < until) {
            const mail = TOOLS[4] ?? tool;
            yield* call(mail, { ...mail.args(made, pick), body: silentText('ord_0') }, undefined);
          }
          kind = undefined;
        }
      }
    }
    for (const server of servers) {
      yield event(server, { kind: 'lifecycle', detail: { step: 'exited', code: 0, signal: null, expected: true } });
    }
  }
}

function failureOf({ failures }: Tool, chance: number): FailureKind | undefined {
  let left = chance;
  for (const [weight, kind] of failures) {
    left -= weight;
    if (left < 0) {
      return kind;
    }
  }
  return undefined;
}

function silentText(order: string): string {
  return `Error: could not load the order because the database is read-only${order === 'ord_0' ? '' : ` (${order})`}`;
}

function answerOf({ name }: Tool, kind: FailureKind | undefined, pick: (limit: number) => number): JsonObject {
  const text = (words: string, more: JsonObject = {}) => ({
    result: { content: [{ type: 'text', text: words }], ...more },
  });
  switch (kind) {
    case 'bad-date':
      return text(`Invalid date "2026-${pick(12)}-1": expected YYYY-MM-DD`, { isError: true });
    case 'no-such-order':
      return text(`Order ord_${pick(900)} was not found`, { isError: true });
    case 'silent':
      return text(silentText(`ord_${pick(900)}`));
    case 'partial':
      return text(JSON.stringify({ imported: 2, failed: [{ row: pick(1000), error: `row ${pick(99)} has no sku` }] }));
    case 'internal':
      return { error: { code: -32603, message: `Internal error: connection to 10.0.0.${pick(200)}:5432 refused` } };
    case 'bad-params':
      return { error: { code: -32602, message: `Unknown recipient 'person${pick(60)}'` } };
    case 'rate-limit':
      return text(`HTTP 429: rate limit exceeded, retry in ${pick(60)} s`, { isError: true });
    case 'no-schema':
      return { result: { rows: pick(9) } };
    case 'huge':
      return text('order line; '.repeat(12_000));
    default:
      return text(`${name} gave ${pick(1000)} lines`);
  }
}

function listingOf(server: string): JsonValue {
  const own = TOOLS.filter((tool) => tool.server === server);
  const called = own.map(({ name, annotations }) => ({
    name,
    inputSchema: { type: 'object' },
    ...(annotations === undefined ? {} : { annotations }),
  }));
  const uncalled = server.endsWith('orders') ? UNCALLED.map((name) => ({ name, inputSchema: { type: 'object' } })) : [];
  return [...called, ...uncalled];
}
