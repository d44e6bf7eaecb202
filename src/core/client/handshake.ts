import type { Clock } from '../../base/clock.ts';
import type { RawEnd } from '../../protocol/call.ts';
import type { ServerDefinition } from '../../protocol/definition.ts';
import type { ClientEngine, EngineStart, ServerFacts } from './engine.ts';
import { commonRevision, type EraPlan, judgeDiscovery, legacyPlan, supportedVersions } from './era.ts';
import { type ConnectionFailure, handshakeFailure } from './failure.ts';
import type { RequestTable } from './requestTable.ts';

export type Handshake =
  | ({ readonly kind: 'ready'; readonly plan: EraPlan } & ServerFacts)
  | { readonly kind: 'failed'; readonly failure: ConnectionFailure }
  /** To be begun again in another way, on a new wire; `failure` is what it comes to if that fails as well. */
  | { readonly kind: 'again'; readonly plan: EraPlan; readonly failure: ConnectionFailure }
  /** Closed before it was done. */
  | { readonly kind: 'stopped' };

export interface HandshakeOptions {
  readonly definition: ServerDefinition;
  readonly engine: ClientEngine;
  readonly table: RequestTable;
  readonly clock: Clock;
  readonly plan: EraPlan;
  /** For all of it. */
  readonly timeoutMs: number;
  /** For the answer to `server/discover`, where silence may mean a legacy server. */
  readonly discoverMs: number;
  /** Access may have to be got first, which takes exchanges of its own. */
  readonly isAuthorized: boolean;
  readonly token: string;
  /** Aborts when the launch is closed. */
  readonly signal: AbortSignal;
}

type InitializePlan = Extract<EraPlan, { kind: 'initialize' }>;

/**
 * Finds out the era of a server and opens accordingly (2026-07-28, "Versioning"). A server that answers the question as
 * legacy ones do is initialized on the same wire; what needs another wire is the result `again`. Never rejects.
 */
export async function shakeHands(options: HandshakeOptions): Promise<Handshake> {
  const { plan, clock, timeoutMs, definition } = options;
  if (plan.kind === 'initialize') {
    return initialize(options, plan, timeoutMs, undefined);
  }
  const startUs = clock.monoUs();
  let end = await discover(options, plan.mayBeLegacy, 1);
  let verdict = judgeDiscovery(end);
  if (verdict.kind === 'refused') {
    end = await discover(options, plan.mayBeLegacy, 2);
    verdict = judgeDiscovery(end);
  }
  if (options.signal.aborted) {
    return { kind: 'stopped' };
  }
  switch (verdict.kind) {
    case 'modern':
      return adopt(options, verdict.facts);
    case 'refused':
    case 'failed':
      return { kind: 'failed', failure: handshakeFailure(end) };
    default:
  }
  if (!plan.mayBeLegacy) {
    return { kind: 'failed', failure: handshakeFailure(end) };
  }
  const legacy = legacyPlan(definition);
  if (verdict.kind === 'died') {
    return { kind: 'again', plan: legacy, failure: handshakeFailure(end) };
  }
  const leftMs = Math.max(1, timeoutMs - (clock.monoUs() - startUs) / 1000);
  return initialize(options, legacy, leftMs, end);
}

async function discover(options: HandshakeOptions, mayBeLegacy: boolean, time: number): Promise<RawEnd> {
  const { engine, table, signal, timeoutMs, isAuthorized } = options;
  const discoverMs = isAuthorized ? Math.max(options.discoverMs, timeoutMs / 2) : options.discoverMs;
  const token = `${options.token}.${time}`;
  const ms = mayBeLegacy ? Math.min(discoverMs, timeoutMs) : timeoutMs;
  const settled = table.open({
    token,
    limits: { idleMs: ms, totalMs: ms },
    signal,
    origin: 'client',
    isAlone: true,
  });
  const letGo = new AbortController();
  void engine.discover(token, letGo.signal).then((report) => {
    // That it was sent says nothing: its answer may come on a stream of its own.
    if (report.kind === 'failed') {
      table.report(token, report.failure, report.message);
    }
  });
  const { end } = await settled;
  letGo.abort();
  return end;
}

async function adopt(options: HandshakeOptions, facts: ServerFacts): Promise<Handshake> {
  const report = await options.engine.connect({ kind: 'modern', facts }, options.signal);
  if (options.signal.aborted) {
    return { kind: 'stopped' };
  }
  // The question is asked again at the next connection: it is the only thing that tells whether the server is there.
  return report.kind === 'ready'
    ? { ...report, plan: options.plan }
    : { kind: 'failed', failure: handshakeFailure({ kind: 'result', result: null, raw: '' }, report.message) };
}

/** `asked` is how `server/discover` ended on the same wire, if it was sent there. */
async function initialize(
  options: HandshakeOptions,
  plan: InitializePlan,
  timeoutMs: number,
  asked: RawEnd | undefined,
): Promise<Handshake> {
  const { engine, table, signal, clock } = options;
  const start: EngineStart = plan;
  const limits = { idleMs: timeoutMs, totalMs: timeoutMs };
  const settled = table.open({ token: undefined, limits, signal, origin: 'client' });
  const letGo = new AbortController();
  const connected = engine.connect(start, letGo.signal).then((report) => {
    if (report.kind === 'failed') {
      table.report(undefined, report.failure, report.message);
    }
    return report;
  });
  const { end } = await settled;
  const report = end.kind === 'result' ? await withinMs(clock, timeoutMs, connected) : undefined;
  if (signal.aborted) {
    return { kind: 'stopped' };
  }
  if (report?.kind === 'ready') {
    return { ...report, plan };
  }
  letGo.abort();
  const failure = handshakeFailure(end, report?.message);
  const next = otherWay(options, plan, end, asked);
  return next === undefined ? { kind: 'failed', failure } : { kind: 'again', plan: next, failure };
}

/** What else may lead to a connection after `initialize` came to nothing. */
function otherWay(
  { definition }: HandshakeOptions,
  plan: InitializePlan,
  end: RawEnd,
  asked: RawEnd | undefined,
): EraPlan | undefined {
  const isStdio = definition.transport.type === 'stdio';
  if (end.kind === 'error') {
    const common = commonRevision(supportedVersions(end.error) ?? [], plan.offer.slice(1));
    if (common !== undefined) {
      return { ...plan, offer: [common] };
    }
    // It may have been too slow for the question, and knows no handshake.
    if (asked?.kind === 'timeout' && (end.error.code === -32601 || end.error.code === -32022)) {
      return { kind: 'discover', mayBeLegacy: false };
    }
  }
  if (isStdio) {
    // The question may have upset it: one that was asked nothing before may take the handshake.
    const isUpset = end.kind === 'error' || end.kind === 'invalid' || isExit(end);
    return asked !== undefined && isUpset ? plan : undefined;
  }
  return !plan.isOverSse && speaksOldHttp(end) ? { ...plan, isOverSse: true } : undefined;
}

function isExit(end: RawEnd): boolean {
  return end.kind === 'transport' && end.failure.reason === 'exited';
}

/** A POST of `initialize` that 400, 404 or 405 answer: HTTP+SSE may be spoken there (2025-11-25, "Backwards Compatibility"). */
function speaksOldHttp(end: RawEnd): boolean {
  const status = end.kind === 'error' ? end.httpStatus : end.kind === 'transport' ? end.failure.status : undefined;
  const isModernError = end.kind === 'error' && end.error.code <= -32020 && end.error.code >= -32022;
  return (status === 400 || status === 404 || status === 405) && !isModernError;
}

/** The engine has the answer and confirms it; a server that takes no confirmation must not hold us for ever. */
async function withinMs<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | undefined> {
  const done = new AbortController();
  const elapsed = clock.sleep(ms, done.signal).then(() => undefined);
  const first = await Promise.race([work, elapsed]);
  done.abort();
  return first;
}
