import { isArray, isObject } from '../../../protocol/json.ts';
import type { JsonValue } from '../../../protocol/jsonrpc.ts';

/** Deeper than this, values are told apart by their kind only. */
const MAX_DEPTH = 24;
/** Of a longer text its length and both ends are hashed, so that the cost of a value is bounded by its members. */
const MAX_TEXT = 64 * 1024;

/**
 * A hash of a JSON value that does not depend on the order of members: 53 bits, to tell changes, not to keep secrets.
 * Linear in the value.
 */
export function stableHash(value: JsonValue | undefined): string {
  const state = { a: 0xdeadbeef, b: 0x41c6ce57 };
  feed(state, value, 0);
  return (4294967296 * (2097151 & mix(state.b, state.a)) + (mix(state.a, state.b) >>> 0)).toString(36);
}

interface State {
  a: number;
  b: number;
}

function feed(state: State, value: JsonValue | undefined, depth: number): void {
  if (depth > MAX_DEPTH) {
    text(state, typeof value);
  } else if (typeof value === 'string') {
    text(state, '"');
    text(state, value);
  } else if (isArray(value)) {
    text(state, '[');
    for (const item of value) {
      feed(state, item, depth + 1);
    }
    text(state, ']');
  } else if (isObject(value)) {
    text(state, '{');
    for (const key of Object.keys(value).sort()) {
      text(state, key);
      text(state, ':');
      feed(state, value[key], depth + 1);
    }
    text(state, '}');
  } else {
    text(state, `${value};`);
  }
}

/** cyrb53 (public domain), fed piece by piece. */
function text(state: State, piece: string): void {
  if (piece.length > MAX_TEXT) {
    text(state, `${piece.length}`);
    text(state, piece.slice(0, MAX_TEXT / 2));
    text(state, piece.slice(-MAX_TEXT / 2));
    return;
  }
  for (let index = 0; index < piece.length; index++) {
    const unit = piece.charCodeAt(index);
    state.a = Math.imul(state.a ^ unit, 2654435761);
    state.b = Math.imul(state.b ^ unit, 1597334677);
  }
  // The end of a piece counts, so that ["ab"] and ["a","b"] differ.
  state.a = Math.imul(state.a ^ 0x1f, 2654435761);
}

function mix(one: number, other: number): number {
  return Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
}
