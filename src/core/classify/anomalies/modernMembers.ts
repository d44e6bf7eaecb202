import { isObject } from '../../../protocol/json.ts';
import { isModern } from '../../../protocol/revisions.ts';
import { get, getString } from '../json.ts';
import { CLIENT_CAPABILITIES, PROTOCOL_VERSION } from '../messageShape.ts';
import { type AnomalyDetector, type Found, NONE, type Scene } from './scene.ts';

const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
/** Results that say how long they may be kept (2026-07-28, "Caching"). */
const CACHEABLE: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);
/** Requests that may be answered with a request for input (2026-07-28, "Multi Round-Trip Requests"). */
const MAY_ASK: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Members that 2026-07-28 requires of requests and results, and what it allows with them. */
export const detectModernMembers: AnomalyDetector = (scene) => {
  const { envelope } = scene.passing;
  if (envelope.kind === 'request') {
    return ofRequest(scene);
  }
  if (envelope.kind === 'notification') {
    return ofNotification(scene, envelope.method);
  }
  return envelope.kind === 'result' && scene.isAnswer ? ofResult(scene) : NONE;
};

function ofRequest({ connection, params, revision, sender }: Scene): readonly Found[] {
  if (!isModern(revision) || sender !== 'client') {
    return NONE;
  }
  const meta = params === undefined ? undefined : get(params, '_meta');
  const has = (key: string) => isObject(meta) && get(meta, key) !== undefined;
  connection.facts.logAsked ||= has(LOG_LEVEL);
  return [PROTOCOL_VERSION, CLIENT_CAPABILITIES]
    .filter((key) => !has(key))
    .map((key) => ({ code: 'metaMissing', args: { key, revision: revision ?? '' }, pointer: '/params' }));
}

function ofNotification({ connection, sender, revision }: Scene, method: string): readonly Found[] {
  const isUnasked = method === 'notifications/message' && sender === 'server' && !connection.facts.logAsked;
  return isUnasked && isModern(revision) ? [{ code: 'logNotRequested' }] : NONE;
}

function ofResult({ placed, result, revision, sender }: Scene): readonly Found[] {
  if (result === undefined || sender !== 'server') {
    return NONE;
  }
  const { method } = placed.state;
  const type = get(result, 'resultType');
  const found: Found[] = [];
  if (type === 'input_required' && !MAY_ASK.has(method)) {
    found.push({ code: 'inputOnWrongMethod', args: { method }, pointer: '/result/resultType' });
  }
  if (!isModern(revision)) {
    return found;
  }
  if (type === undefined) {
    found.push({ code: 'resultTypeMissing', args: { revision: revision ?? '' }, pointer: '/result' });
  }
  if (CACHEABLE.has(method) && type !== 'input_required') {
    const lacks = typeof get(result, 'ttlMs') !== 'number' ? 'ttlMs' : undefined;
    const key = lacks ?? (getString(result, 'cacheScope') === undefined ? 'cacheScope' : undefined);
    if (key !== undefined) {
      found.push({ code: 'cacheHintsMissing', args: { key, method, revision: revision ?? '' }, pointer: '/result' });
    }
  }
  return found;
}
