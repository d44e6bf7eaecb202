import type { Random } from '../../../src/base/clock.ts';
import type { JsonValue } from '../../../src/protocol/jsonrpc.ts';

/** Numbers in [0, 1) that a seed decides (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** An integer from 0 up to but without `limit`. */
export function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

/** One of `items`, of which there must be some. */
export function oneOf<T>(random: Random, items: readonly T[]): T {
  const item = items[below(random, items.length)];
  if (item === undefined) {
    throw new Error('nothing to choose from');
  }
  return item;
}

const ODD: readonly JsonValue[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  -32602,
  9007199254740992,
  '',
  '0',
  '2.0',
  'constructor',
  '__proto__',
  '\u202e\u2028\ud800',
  'Error: failed',
  'x'.repeat(300),
  [],
  [[]],
  {},
  { code: -32603, message: 'x' },
  { taskId: 'k', status: 'working' },
];
const KEYS = [
  'id',
  'method',
  'params',
  'result',
  'error',
  'jsonrpc',
  '_meta',
  '__proto__',
  'constructor',
  'isError',
  'content',
  'structuredContent',
  'nextCursor',
  'cursor',
  'requestState',
  'inputResponses',
  'resultType',
  'taskId',
  'task',
  'progressToken',
  'progress',
  'tools',
  'name',
  'capabilities',
  'protocolVersion',
  'requestId',
] as const;

/** `value` with one thing in it changed: a member lost, added or put elsewhere, a value of another kind. */
export function changed(value: JsonValue, random: Random, depth = 0): JsonValue {
  if (depth > 5 || random() < 0.15 || typeof value !== 'object' || value === null) {
    return oneOf(random, ODD);
  }
  if (Array.isArray(value)) {
    const items = [...(value as readonly JsonValue[])];
    const at = below(random, items.length + 1);
    const choice = random();
    if (choice < 0.3 || items.length === 0) {
      items.splice(at, 0, oneOf(random, ODD));
    } else if (choice < 0.5) {
      items.splice(at, 1);
    } else {
      const index = below(random, items.length);
      items[index] = changed(items[index] ?? null, random, depth + 1);
    }
    return items;
  }
  const entries = Object.entries(value as Record<string, JsonValue>);
  const at = below(random, entries.length);
  const entry = entries[at];
  const choice = random();
  if (choice < 0.2 || entry === undefined) {
    entries.push([oneOf(random, KEYS), oneOf(random, ODD)]);
  } else if (choice < 0.35) {
    entries.splice(at, 1);
  } else if (choice < 0.5) {
    entries[at] = [oneOf(random, KEYS), entry[1]];
  } else {
    entries[at] = [entry[0], changed(entry[1], random, depth + 1)];
  }
  return Object.fromEntries(entries);
}

/** `bytes` with a few of them changed, lost, doubled, or exchanged for those of `other`. */
export function damaged(bytes: Buffer, other: Buffer, random: Random): Buffer {
  let result = Buffer.from(bytes);
  for (let times = 1 + below(random, 4); times > 0; times--) {
    const at = below(random, result.length + 1);
    const size = 1 + below(random, 8);
    switch (below(random, 5)) {
      case 0:
        result = Buffer.concat([result.subarray(0, at), Buffer.from([below(random, 256)]), result.subarray(at)]);
        break;
      case 1:
        result = Buffer.concat([result.subarray(0, at), result.subarray(at + size)]);
        break;
      case 2:
        result = Buffer.concat([result.subarray(0, at), other.subarray(below(random, other.length + 1))]);
        break;
      case 3:
        result = Buffer.concat([result, result.subarray(at, at + 64)]);
        break;
      default:
        if (at < result.length) {
          result[at] = below(random, 256);
        }
    }
  }
  return result.subarray(0, 200_000);
}
