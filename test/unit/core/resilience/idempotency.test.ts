import { describe, expect, it } from 'vitest';
import {
  type IdempotencyFacts,
  idempotencyOf,
  withIdempotencyKey,
} from '../../../../src/core/resilience/idempotency.ts';
import { SIDE_EFFECT_FREE_METHODS } from '../../../../src/protocol/revisions.ts';
import { TEXTS } from '../../../../src/protocol/texts.ts';

describe('idempotencyOf', () => {
  it.each([
    ['a list', { method: 'tools/list' }, 'idempotent.method'],
    ['an unknown method', { method: 'logging/setLevel' }, 'notIdempotent.method'],
    ['a tool without annotations', {}, 'notIdempotent.unknown'],
    [
      'a read-only tool of a trusted server',
      { hints: { readOnlyHint: true }, isTrusted: true },
      'idempotent.readOnlyHint',
    ],
    ['the same of any other server', { hints: { readOnlyHint: true } }, 'notIdempotent.untrusted'],
    [
      'an idempotent tool of a trusted server',
      { hints: { idempotentHint: true, destructiveHint: true }, isTrusted: true },
      'idempotent.idempotentHint',
    ],
    ['a trusted tool that denies it', { hints: { idempotentHint: false }, isTrusted: true }, 'notIdempotent.unknown'],
    ['a tool that settings allow', { policy: { isIdempotent: true } }, 'idempotent.setting'],
    [
      'a tool that settings forbid against its hint',
      { policy: { isIdempotent: false }, hints: { readOnlyHint: true }, isTrusted: true },
      'notIdempotent.setting',
    ],
    ['a tool with a key', { policy: { idempotencyKeyArgument: 'key' } }, 'idempotent.key'],
  ] satisfies [string, Partial<IdempotencyFacts>, string][])('%s', (_name, facts, reason) => {
    const found = idempotencyOf({ method: 'tools/call', isTrusted: false, ...facts });
    expect(found).toEqual({ isIdempotent: reason.startsWith('idempotent.'), reason });
    expect(TEXTS[reason]).toBeDefined();
  });

  it('knows every method that the specification calls free of side effects', () => {
    for (const method of SIDE_EFFECT_FREE_METHODS) {
      expect(idempotencyOf({ method, isTrusted: false }).isIdempotent, method).toBe(true);
    }
  });
});

describe('withIdempotencyKey', () => {
  const policy = { idempotencyKeyArgument: 'key' };
  it.each([
    ['adds the key', { name: 't', arguments: { a: 1 } }, policy, { name: 't', arguments: { a: 1, key: 'K' } }],
    ['makes arguments where there are none', { name: 't' }, policy, { name: 't', arguments: { key: 'K' } }],
    ["keeps the caller's key", { arguments: { key: 'mine' } }, policy, { arguments: { key: 'mine' } }],
    ['does nothing without a policy', { name: 't' }, undefined, { name: 't' }],
  ])('%s', (_name, params, given, expected) => {
    expect(withIdempotencyKey('tools/call', params, given, () => 'K')).toEqual(expected);
  });

  it('leaves other methods alone', () => {
    expect(withIdempotencyKey('tools/list', {}, policy, () => 'K')).toEqual({});
  });
});
