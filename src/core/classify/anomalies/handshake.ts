import { isObject } from '../../../protocol/json.ts';
import { isModern, REVISIONS } from '../../../protocol/revisions.ts';
import { get, getString, shorten } from '../json.ts';
import { type AnomalyDetector, type Found, NONE, type Scene } from './scene.ts';

/** What may be sent before the handshake is done (to 2025-11-25, "Initialization"); discovery is how newer clients probe. */
const EARLY: ReadonlySet<string> = new Set(['initialize', 'ping', 'server/discover']);

/** The order of the handshake: initialize, its answer, notifications/initialized, then the rest. */
export const detectHandshake: AnomalyDetector = (scene) => {
  const { envelope } = scene.passing;
  switch (envelope.kind) {
    case 'request':
      return ofRequest(scene, envelope.method);
    case 'notification':
      return ofNotification(scene, envelope.method);
    case 'result':
      return ofResult(scene);
    default:
      return NONE;
  }
};

function ofRequest({ connection, sender, revision, params }: Scene, method: string): readonly Found[] {
  const { facts } = connection;
  if (method === 'initialize') {
    const wasAnswered = facts.initializeAnswered;
    facts.initializeAsked = true;
    const capabilities = params === undefined ? undefined : get(params, 'capabilities');
    facts.clientCapabilities = isObject(capabilities) ? capabilities : undefined;
    return wasAnswered ? [{ code: 'initializeTwice' }] : NONE;
  }
  // Without its beginning on record, nobody can tell what was sent before.
  const isFromStart = connection.row !== undefined || facts.initializeAsked;
  if (!isFromStart || isModern(revision) || EARLY.has(method)) {
    return NONE;
  }
  if (!facts.initializeAnswered) {
    return [{ code: 'requestBeforeInitialize', args: { method } }];
  }
  if (!facts.initializedSent && !facts.said.has('initializedMissing')) {
    facts.said.add('initializedMissing');
    return sender === 'client' || method !== 'ping' ? [{ code: 'initializedMissing', args: { method } }] : NONE;
  }
  return NONE;
}

function ofNotification({ connection, placed }: Scene, method: string): readonly Found[] {
  if (method === 'notifications/initialized') {
    connection.facts.initializedSent = true;
  }
  const isOfInitialize = placed.as === 'about' && placed.state.method === 'initialize';
  return method === 'notifications/cancelled' && isOfInitialize ? [{ code: 'initializeCancelled' }] : NONE;
}

function ofResult({ connection, placed, result }: Scene): readonly Found[] {
  if (placed.as !== 'settled' || placed.state.method !== 'initialize' || result === undefined) {
    return NONE;
  }
  const { facts } = connection;
  facts.initializeAnswered = true;
  const capabilities = get(result, 'capabilities');
  facts.serverCapabilities = isObject(capabilities) ? capabilities : undefined;
  const revision = getString(result, 'protocolVersion');
  const isKnown = revision === undefined || REVISIONS.some((known) => known === revision);
  return isKnown
    ? NONE
    : [{ code: 'unknownRevision', args: { revision: shorten(revision, 40) }, pointer: '/result/protocolVersion' }];
}
