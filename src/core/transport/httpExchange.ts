import type { Clock } from '../../base/clock.ts';
import type { HttpBody, NoiseBody, TransportFailure } from '../../protocol/events.ts';
import type { JsonRpcId } from '../../protocol/jsonrpc.ts';
import { MODERN_REVISIONS } from '../../protocol/revisions.ts';
import { decodeExactly, headOf } from './bytes.ts';
import { envelopesOf, isMeantAsJsonRpc, type ParsedFrame, parseFrame } from './envelope.ts';
import { answersUnnamed, judgeAnswer, namedBy } from './httpAnswer.ts';
import { networkFailure } from './httpFailure.ts';
import { redactHeaders, redactUrl } from './httpRedaction.ts';
import { MAX_LINE_BYTES } from './lineFramer.ts';
import type { BodyObserver } from './observeBody.ts';
import type { Recorder } from './recorder.ts';
import type { RequestTracker } from './requestTracker.ts';
import { retryAfterMs } from './retryAfter.ts';
import { createSseReader } from './sseReader.ts';
import type { Frame } from './wire.ts';

/** One HTTP request as it was handed to `fetch`. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  /** Present when it is text, as every message is. */
  readonly body?: string;
}

/** The part of an answer that is known before its body. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Headers;
}

/** What all exchanges of a wire share. */
export interface ExchangeScope {
  readonly clock: Clock;
  readonly record: Recorder;
  readonly tracker: RequestTracker;
  readonly onSend: (frame: Frame) => void;
  readonly onReceive: (frame: Frame) => void;
  /** The stream on which all answers come (HTTP+SSE, 2024-11-05); absent over Streamable HTTP. */
  readonly answerStream: () => string | undefined;
  /** The GET stream of `exchange` says where to POST. */
  readonly onEndpoint: (exchange: string, uri: string) => void;
  readonly onStreamEnd: (exchange: string, failure: TransportFailure) => void;
  /** Whoever sends answers refused access itself (OAuth): a 401 or 403 is not the end of its request. */
  readonly holdsRefusals: boolean;
}

/** One HTTP request and its answer: exactly one of `failed`, the observer's end, or `abandon` ends it. */
export interface HttpExchange {
  /** No answer came. */
  failed(error: unknown, isAborted: boolean): void;
  /** The head has come; the returned observer must see the body, and at least its end. */
  answered(head: AnswerHead, isAborted: () => boolean): BodyObserver;
  /** The wire is closed; whatever comes now is not looked at. */
  abandon(failure: TransportFailure): void;
}

/** How long a redirect may take to be followed before it counts as the answer. */
const REDIRECT_GRACE_MS = 1000;
/** What an SSE client waits before it resumes, unless the server says otherwise. */
const DEFAULT_RETRY_MS = 1000;
const ABORTED: TransportFailure = { reason: 'closed', message: 'The client gave up the request.' };

/** Records the request, tells of its message, and follows the exchange to its end. Nothing here throws. */
export function beginExchange(
  id: string,
  request: HttpRequest,
  scope: ExchangeScope,
  onDone: () => void,
): HttpExchange {
  const { clock, record, tracker } = scope;
  const startUs = clock.monoUs();
  const resumesFrom = request.headers.get('last-event-id') ?? undefined;
  const sent = request.method === 'POST' && request.body !== undefined ? parseFrame(request.body) : undefined;
  const isMessage = isMeantAsJsonRpc(sent?.message);
  // Token endpoints and the like: their bodies are nobody's business.
  const isForeign = !isMessage && !isStreamRequest(request) && request.method !== 'DELETE';
  // Of a revision without sessions and without resumption (2026-07-28).
  const isStateless = MODERN_REVISIONS.some((known) => known === request.headers.get('mcp-protocol-version'));
  let carried: readonly JsonRpcId[] = [];
  let isDone = false;
  let seenHead: AnswerHead | undefined;

  if (sent !== undefined && isMessage) {
    carried = envelopesOf(sent).flatMap((envelope) => (envelope.kind === 'request' ? [envelope.id] : []));
    const raw = request.body ?? '';
    const monoUs = record({
      kind: 'message',
      direction: 'sent',
      raw,
      bytes: Buffer.byteLength(raw),
      envelope: sent.envelope,
      http: id,
    });
    for (const carriedId of carried) {
      tracker.open(carriedId, id);
    }
    scope.onSend({ raw, monoUs, ...sent });
  } else if (resumesFrom !== undefined) {
    tracker.resume(resumesFrom, id);
  }

  /** Ends the exchange once; the event is recorded before anyone is told of what it meant. */
  function done(facts: Pick<HttpBody, 'status' | 'responseHeaders' | 'body' | 'failure'>, tell: () => void): void {
    if (isDone) {
      return;
    }
    isDone = true;
    const requestId = carried.length === 1 ? carried[0] : undefined;
    record({
      kind: 'http',
      id,
      method: request.method,
      url: redactUrl(request.url),
      requestHeaders: redactHeaders(request.headers),
      durationUs: clock.monoUs() - startUs,
      ...facts,
      ...(requestId === undefined ? {} : { requestId }),
    });
    tell();
    onDone();
  }

  /** Ends an exchange whose requests can get no answer on it any more. */
  function end(failure: TransportFailure): void {
    const known = seenHead === undefined ? { responseHeaders: {} } : factsOf(seenHead);
    const isUnanswered = seenHead === undefined || tracker.waitingOn(id).length > 0;
    done({ ...known, ...(isUnanswered ? { failure } : {}) }, () => {
      tracker.lose(id, failure);
      scope.onStreamEnd(id, failure);
    });
  }

  function receive(
    raw: string,
    frame: ParsedFrame,
    extra: Partial<Frame>,
    exact?: { rawBytes?: Uint8Array },
  ): () => void {
    const bytes = exact?.rawBytes?.length ?? Buffer.byteLength(raw);
    const monoUs = record({
      kind: 'message',
      direction: 'received',
      raw,
      ...exact,
      bytes,
      envelope: frame.envelope,
      http: id,
    });
    return () => scope.onReceive({ raw, monoUs, ...frame, ...extra });
  }

  function noise(stream: NoiseBody['stream'], problem: NoiseBody['problem'], raw: string, bytes?: number): void {
    record({ kind: 'noise', stream, problem, raw, bytes: bytes ?? Buffer.byteLength(raw) });
  }

  function streamObserver(head: AnswerHead, isAborted: () => boolean): BodyObserver {
    const reader = createSseReader({
      onMessage: (raw, frame) => {
        const answers = answersUnnamed(frame, head.status, tracker.waitingOn(id));
        for (const answeredId of [...namedBy(frame), ...(answers === undefined ? [] : [answers])]) {
          tracker.answered(answeredId);
        }
        receive(raw, frame, { httpStatus: head.status, ...(answers === undefined ? {} : { answers }) })();
      },
      onNoise: (raw, problem) => noise('sse', problem, raw),
      ...(request.method === 'GET' && resumesFrom === undefined
        ? { onEndpoint: (uri: string) => scope.onEndpoint(id, uri) }
        : {}),
    });
    const ended = (failure: TransportFailure) => {
      const isFinal = isStateless || scope.answerStream() === id;
      const eventId = isFinal ? undefined : (reader.lastEventId() ?? resumesFrom);
      if (eventId === undefined || isAborted() || tracker.waitingOn(id).length === 0) {
        end(failure);
        return;
      }
      const delayMs = reader.retryMs() ?? DEFAULT_RETRY_MS;
      done(factsOf(head), () => tracker.awaitResumption(id, eventId, delayMs, failure));
    };
    return {
      onChunk: (chunk) => reader.push(chunk),
      onEnd: () =>
        ended({ reason: 'stream-ended', status: head.status, message: 'The stream ended before the answer had come.' }),
      onError: (error) => ended(isAborted() ? ABORTED : networkFailure(error)),
      onCancel: () => end(ABORTED),
    };
  }

  function wholeObserver(head: AnswerHead, isAborted: () => boolean): BodyObserver {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    return {
      onChunk: (chunk) => {
        bytes += chunk.length;
        if (!isForeign && bytes <= MAX_LINE_BYTES) {
          chunks.push(chunk);
        }
      },
      onEnd: () => wholeBody(head, Buffer.concat(chunks), bytes),
      onError: (error) => {
        if (bytes > MAX_LINE_BYTES && !isForeign) {
          noise('http', 'frame-too-large', decodeExactly(headOf(Buffer.concat(chunks))).raw, bytes);
        }
        end(isAborted() ? ABORTED : networkFailure(error));
      },
      onCancel: () => end(ABORTED),
    };
  }

  function wholeBody(head: AnswerHead, kept: Uint8Array, bytes: number): void {
    const { status, headers } = head;
    const facts = factsOf(head);
    const exact = decodeExactly(kept);
    const waitMs = retryAfterMs(headers.get('retry-after'), clock.wallUs() / 1000);
    const retry = waitMs === undefined ? {} : { retryAfterMs: waitMs };
    const frame = parseFrame(exact.raw);
    const verdict = judgeAnswer(
      frame,
      {
        status,
        contentType: headers.get('content-type') ?? '',
        body: exact.raw,
        hadSession: request.headers.has('mcp-session-id'),
        isStateless,
        ...retry,
      },
      tracker.waitingOn(id),
    );
    let tellFrame: () => void = () => undefined;
    if (bytes > MAX_LINE_BYTES && !isForeign) {
      noise('http', 'frame-too-large', decodeExactly(headOf(kept)).raw, bytes);
    } else if (verdict.isMessage) {
      const { answers } = verdict;
      tellFrame = receive(
        exact.raw,
        frame,
        {
          httpStatus: status,
          ...retry,
          ...(answers === undefined ? {} : { answers }),
          ...(status >= 400 ? { isSessionLost: verdict.isSessionLost } : {}),
        },
        exact.rawBytes === undefined ? undefined : { rawBytes: exact.rawBytes },
      );
      verdict.answered.forEach((answeredId) => {
        tracker.answered(answeredId);
      });
    } else if (status < 300 && carried.length > 0 && exact.raw !== '' && scope.answerStream() === undefined) {
      noise('http', frame.message === undefined ? 'not-json' : 'not-jsonrpc', exact.raw);
    }
    handOver(status);
    const isUnanswered = tracker.waitingOn(id).length > 0;
    // A redirect is usually followed at once, by another exchange with the same request.
    const isRedirect = status >= 300 && status < 400 && headers.has('location');
    // GET and DELETE may be refused with 405: the server then has no such stream or keeps its sessions (MCP).
    const isRefusal = status >= 300 && carried.length === 0 && !(status === 405 && request.method !== 'POST');
    const failure = isUnanswered || isRefusal ? { failure: verdict.failure } : {};
    const body = verdict.isMessage || exact.raw === '' ? {} : { body: decodeExactly(headOf(kept)).raw };
    done({ ...facts, ...body, ...failure }, () => {
      tellFrame();
      if (scope.holdsRefusals && (status === 401 || status === 403)) {
        return;
      }
      if (resumesFrom !== undefined && status >= 500) {
        tracker.awaitResumption(id, resumesFrom, DEFAULT_RETRY_MS, verdict.failure);
      } else if (isRedirect) {
        tracker.loseAfter(REDIRECT_GRACE_MS, id, verdict.failure);
      } else {
        tracker.lose(id, resumesFrom === undefined ? verdict.failure : notResumed(verdict.failure));
      }
    });
  }

  /** Over HTTP+SSE a POST is only taken; from then on its requests wait on the stream. */
  function handOver(status: number): void {
    const stream = scope.answerStream();
    if (stream !== undefined && status < 300) {
      for (const waiting of tracker.waitingOn(id)) {
        tracker.open(waiting, stream);
      }
    }
  }

  return {
    failed: (error, isAborted) => {
      const failure = isAborted ? ABORTED : networkFailure(error);
      if (resumesFrom === undefined || isAborted) {
        end(failure);
      } else {
        done({ responseHeaders: {}, failure }, () =>
          tracker.awaitResumption(id, resumesFrom, DEFAULT_RETRY_MS, failure),
        );
      }
    },
    answered: (head, isAborted) => {
      seenHead = head;
      const isStream = head.status < 300 && isEventStream(head.headers.get('content-type'));
      return isStream && !isForeign ? streamObserver(head, isAborted) : wholeObserver(head, isAborted);
    },
    abandon: (failure) => end(failure),
  };
}

function factsOf(head: AnswerHead): Pick<HttpBody, 'status' | 'responseHeaders'> {
  return { status: head.status, responseHeaders: redactHeaders(head.headers) };
}

function notResumed(failure: TransportFailure): TransportFailure {
  return {
    ...failure,
    reason: 'stream-ended',
    message: `The stream ended early and was not resumed. ${failure.message}`,
  };
}

function isStreamRequest(request: HttpRequest): boolean {
  return request.method === 'GET' && /text\/event-stream/i.test(request.headers.get('accept') ?? '');
}

/** By its `Content-Type`: a stream of server-sent events. */
export function isEventStream(contentType: string | null): boolean {
  return /^\s*text\/event-stream\s*(?:;|$)/i.test(contentType ?? '');
}
