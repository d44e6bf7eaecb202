import type { ArgumentsFingerprint } from '../../../protocol/exchange.ts';
import { isObject } from '../../../protocol/json.ts';
import type { JsonObject } from '../../../protocol/jsonrpc.ts';
import { get } from '../json.ts';
import { stableHash } from './stableHash.ts';

const MAX_MEMBERS = 32;

/** The fingerprint of the arguments in the `params` of a `tools/call`. */
export function fingerprintOf(params: JsonObject | undefined): ArgumentsFingerprint {
  const given = params === undefined ? undefined : get(params, 'arguments');
  if (!isObject(given)) {
    return { whole: '', members: {} };
  }
  const members: Record<string, string> = {};
  for (const key of Object.keys(given).sort().slice(0, MAX_MEMBERS)) {
    // `__proto__` as an own member of hostile JSON must not become a prototype here.
    Object.defineProperty(members, key.slice(0, 120), {
      value: stableHash(given[key]),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return { whole: stableHash(given), members };
}
