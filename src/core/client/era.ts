import type { RawEnd } from '../../protocol/call.ts';
import type { ServerDefinition } from '../../protocol/definition.ts';
import { isObject, memberOf } from '../../protocol/json.ts';
import type { JsonObject, JsonRpcErrorObject, JsonValue } from '../../protocol/jsonrpc.ts';
import { LEGACY_REVISIONS, MODERN_REVISIONS, REVISIONS, type Revision } from '../../protocol/revisions.ts';
import type { ServerFacts } from './engine.ts';
import { stringOf } from './json.ts';

const META = 'io.modelcontextprotocol';
const PROTOCOL_VERSION_KEY = `${META}/protocolVersion`;
export const CLIENT_CAPABILITIES_KEY = `${META}/clientCapabilities`;
const CLIENT_INFO_KEY = `${META}/clientInfo`;
export const TASKS_EXTENSION = `${META}/tasks`;
const SERVER_INFO_KEY = `${META}/serverInfo`;

/**
 * How to begin with a server: ask for its era by `server/discover`, or open with `initialize`. What worked is kept for the
 * definition, since the era belongs to the server and not to the connection (2026-07-28, "Versioning").
 */
export type EraPlan =
  | { readonly kind: 'discover'; readonly mayBeLegacy: boolean }
  | {
      readonly kind: 'initialize';
      /** Newest first. */
      readonly offer: readonly Revision[];
      /** Over HTTP+SSE (2024-11-05). */
      readonly isOverSse: boolean;
    };

/** What the answer to `server/discover` says of a server. */
export type EraVerdict =
  | { readonly kind: 'modern'; readonly facts: ServerFacts }
  | { readonly kind: 'legacy' }
  /** Stateless, and refuses the version that it then says it speaks: to be asked once more. */
  | { readonly kind: 'refused' }
  /** The process ended over the question: it has to be started again, and then not to be asked. */
  | { readonly kind: 'died' }
  /** Neither era can be spoken, or there is nobody to speak to. */
  | { readonly kind: 'failed'; readonly end: RawEnd };

/** Is this a revision without a handshake? */
export function isModern(revision: string): boolean {
  return MODERN_REVISIONS.some((known) => known === revision);
}

/** How to begin with a server that nothing is known of. */
export function firstPlan({ transport, versions }: ServerDefinition): EraPlan {
  const offer = LEGACY_REVISIONS.filter((revision) => versions?.includes(revision) ?? true).toReversed();
  const mayBeModern = versions === undefined || versions.some(isModern);
  if (transport.type === 'http' && transport.isLegacySse === true) {
    return { kind: 'initialize', offer: offer.length === 0 ? ['2024-11-05'] : offer, isOverSse: true };
  }
  return mayBeModern
    ? { kind: 'discover', mayBeLegacy: offer.length > 0 }
    : { kind: 'initialize', offer, isOverSse: false };
}

/** The plan after the question was answered as only servers with a handshake do. */
export function legacyPlan(definition: ServerDefinition): Extract<EraPlan, { kind: 'initialize' }> {
  const offer = LEGACY_REVISIONS.filter((revision) => definition.versions?.includes(revision) ?? true).toReversed();
  return { kind: 'initialize', offer, isOverSse: false };
}

/**
 * Judges the end of `server/discover`. Only a result of its own kind, or an error that no legacy server has, speaks for the
 * stateless era; any other error, nonsense and silence speak for the handshake ("the fallback MUST NOT be keyed to one
 * specific error code"). Nobody there, and access refused, speak for nothing.
 */
export function judgeDiscovery(end: RawEnd): EraVerdict {
  switch (end.kind) {
    case 'result':
      return ofResult(end);
    case 'error':
      return ofError(end);
    case 'transport':
      return ofFailure(end);
    case 'cancelled':
      return { kind: 'failed', end };
    default:
      return { kind: 'legacy' };
  }
}

function ofResult(end: Extract<RawEnd, { kind: 'result' }>): EraVerdict {
  const versions = stringsOf(memberOf(end.result, 'supportedVersions'));
  const revision = MODERN_REVISIONS.findLast((known) => versions.includes(known));
  if (revision === undefined) {
    const isUnknown = versions.length > 0 && !versions.some((version) => REVISIONS.some((known) => known === version));
    return isUnknown ? { kind: 'failed', end } : { kind: 'legacy' };
  }
  const info = memberOf(memberOf(end.result, '_meta'), SERVER_INFO_KEY);
  const name = stringOf(info, 'name');
  const capabilities = memberOf(end.result, 'capabilities');
  const instructions = stringOf(end.result, 'instructions');
  return {
    kind: 'modern',
    facts: {
      revision,
      serverInfo: name === undefined ? undefined : { name, version: stringOf(info, 'version') ?? '' },
      capabilities: isObject(capabilities) ? capabilities : {},
      ...(instructions === undefined ? {} : { instructions }),
    },
  };
}

function ofError(end: Extract<RawEnd, { kind: 'error' }>): EraVerdict {
  const supported = supportedVersions(end.error);
  if (supported?.some(isModern) === true) {
    return { kind: 'refused' };
  }
  if (supported !== undefined) {
    return supported.some((version) => LEGACY_REVISIONS.some((known) => known === version))
      ? { kind: 'legacy' }
      : { kind: 'failed', end };
  }
  return end.error.code === -32020 || end.error.code === -32021 ? { kind: 'failed', end } : { kind: 'legacy' };
}

function ofFailure(end: Extract<RawEnd, { kind: 'transport' }>): EraVerdict {
  switch (end.failure.reason) {
    case 'exited':
      return { kind: 'died' };
    case 'spawn-failed':
    case 'refused':
    case 'unresolved':
    case 'tls':
    case 'unauthorized':
    case 'closed':
      return { kind: 'failed', end };
    case 'http-status':
      return end.failure.status === 429 || end.failure.retryAfterMs !== undefined
        ? { kind: 'failed', end }
        : { kind: 'legacy' };
    default:
      return { kind: 'legacy' };
  }
}

/**
 * The versions that a server names when it refuses ours: -32022 of 2026-07-28, -32004 of its drafts, and -32602, which was
 * the answer to `initialize` until 2025-06-18; `undefined` for every other error.
 */
export function supportedVersions(error: JsonRpcErrorObject): readonly string[] | undefined {
  const supported = memberOf(error.data, 'supported');
  const isRefusal = error.code === -32022 || error.code === -32004 || error.code === -32602;
  return isRefusal && Array.isArray(supported) ? stringsOf(supported) : undefined;
}

/** The newest revision with a handshake that both sides know, of those that `offer` allows. */
export function commonRevision(supported: readonly string[], offer: readonly Revision[]): Revision | undefined {
  return offer.find((revision) => supported.includes(revision));
}

/** The `_meta` that every request of 2026-07-28 carries. */
export function requestMeta(revision: string, clientInfo: JsonObject, capabilities: JsonObject): JsonObject {
  return {
    [PROTOCOL_VERSION_KEY]: revision,
    [CLIENT_INFO_KEY]: clientInfo,
    [CLIENT_CAPABILITIES_KEY]: capabilities,
  };
}

function stringsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value)
    ? (value as readonly JsonValue[]).filter((item): item is string => typeof item === 'string')
    : [];
}
