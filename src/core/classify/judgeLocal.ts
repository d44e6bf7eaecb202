import { assertNever } from '../../base/assertNever.ts';
import type { RawEnd } from '../../protocol/call.ts';
import type { TransportFailure } from '../../protocol/events.ts';
import type { RetryClass, Signal, Verdict } from '../../protocol/outcome.ts';
import { shorten } from './json.ts';

/** Judges the ends that no JSON-RPC answer tells: timeout, cancellation, an answer that breaks JSON-RPC. */
export function judgeLocal(end: Extract<RawEnd, { kind: 'timeout' | 'cancelled' | 'invalid' }>): Verdict {
  switch (end.kind) {
    case 'timeout': {
      const limit: Signal = {
        code: `signal.timeout.${end.limit}`,
        strength: 'proof',
        args: { afterMs: Math.round(end.afterMs) },
      };
      const progress: Signal = { code: 'signal.timeout.progress', strength: 'strong', args: {} };
      return {
        outcome: 'timeout',
        retry: 'only_if_idempotent',
        signals: end.progressSeen ? [limit, progress] : [limit],
      };
    }
    case 'cancelled':
      return {
        outcome: 'cancelled',
        retry: 'never',
        signals: [{ code: `signal.cancelled.${end.by}`, strength: 'proof', args: {} }],
      };
    case 'invalid':
      return invalidResponse('signal.invalid.envelope', '', { problem: end.problem });
    default:
      return assertNever(end);
  }
}

/** The verdict on an answer that breaks JSON-RPC or MCP. It did answer something, so the request may have been carried out. */
export function invalidResponse(code: string, pointer: string, args: Signal['args'] = {}): Verdict {
  return {
    outcome: 'invalid_response',
    retry: 'only_if_idempotent',
    signals: [{ code, strength: 'proof', pointer, args }],
  };
}

/** Judges a request that got no JSON-RPC answer at all (outcome reference, "What may be retried"). */
export function judgeTransport(failure: TransportFailure): Verdict {
  const signal: Signal = {
    code: `signal.transport.${failure.reason}`,
    strength: 'proof',
    args: {
      message: shorten(failure.message),
      code: failure.code ?? '',
      status: failure.status ?? 0,
      exit: exitText(failure),
    },
  };
  const tail = failure.stderrTail?.findLast((line) => line.trim() !== '');
  const signals =
    tail === undefined
      ? [signal]
      : [signal, { code: 'signal.transport.stderr', strength: 'medium' as const, args: { line: shorten(tail) } }];
  return { outcome: 'transport_error', retry: retryOfFailure(failure), signals };
}

/** "code 1", "signal SIGKILL", or empty when the process did not exit. */
function exitText(failure: TransportFailure): string {
  if (typeof failure.exitSignal === 'string') {
    return `signal ${failure.exitSignal}`;
  }
  return typeof failure.exitCode === 'number' ? `code ${failure.exitCode}` : 'unknown';
}

function retryOfFailure(failure: TransportFailure): RetryClass {
  switch (failure.reason) {
    case 'refused':
    case 'session-lost':
    case 'unavailable':
      return 'safe';
    case 'unresolved':
      return failure.code === 'EAI_AGAIN' ? 'safe' : 'after_fix';
    case 'spawn-failed':
    case 'tls':
    case 'unauthorized':
      return 'after_fix';
    case 'http-status':
    case 'not-json-rpc':
      return retryOfStatus(failure);
    case 'exited':
    case 'reset':
    case 'stream-ended':
    case 'accepted-without-answer':
    case 'closed':
    case 'unknown':
      return 'only_if_idempotent';
    default:
      return assertNever(failure.reason);
  }
}

function retryOfStatus(failure: TransportFailure): RetryClass {
  const status = failure.status ?? 200;
  if (status === 429 || (status === 503 && failure.retryAfterMs !== undefined)) {
    return 'safe';
  }
  if (status >= 500 || status === 408 || status === 409 || status === 425) {
    return 'only_if_idempotent';
  }
  return 'after_fix';
}
