import { assertNever } from '../../base/assertNever.ts';
import type { TextArgs } from '../../base/text.ts';
import type { RawEnd } from '../../protocol/call.ts';
import type { TransportFailure } from '../../protocol/events.ts';
import { LEGACY_REVISIONS } from '../../protocol/revisions.ts';

/**
 * Why a server is not connected. `code` and `remedy` name sentences in `protocol/texts.ts` that share `args`; `failure` is
 * the cause as the wire saw it, with exit code and the tail of stderr where there are any.
 */
export interface ConnectionFailure {
  readonly code: string;
  readonly remedy: string;
  readonly args: TextArgs;
  readonly failure: TransportFailure;
}

/** Says why a connection could not be made or was lost, from what the wire saw. */
export function connectionFailure(failure: TransportFailure): ConnectionFailure {
  const code = codeOf(failure);
  return {
    code,
    remedy: `${code}.remedy`,
    args: {
      message: failure.message,
      code: failure.code ?? '',
      exit: failure.exitCode ?? failure.exitSignal ?? '',
      status: failure.status ?? '',
      stderr: failure.stderrTail?.at(-1) ?? '',
    },
    failure,
  };
}

/** Says why a handshake came to nothing although the wire is well: refused, malformed, too late, a foreign revision. */
export function handshakeFailure(end: RawEnd, engineMessage = ''): ConnectionFailure {
  const told = (code: string, args: TextArgs, message: string): ConnectionFailure => ({
    code,
    remedy: `${code}.remedy`,
    args,
    failure: { reason: 'unknown', message },
  });
  switch (end.kind) {
    case 'transport':
      return connectionFailure(end.failure);
    case 'timeout':
      return told('connection.timeout', { ms: end.afterMs }, `No answer to initialize within ${end.afterMs} ms`);
    case 'error':
      return told(
        'connection.refusedHandshake',
        { code: end.error.code, message: end.error.message },
        `initialize was refused: ${end.error.code} ${end.error.message}`,
      );
    case 'invalid':
      return told(
        'connection.invalidHandshake',
        { problem: end.problem },
        `Invalid answer to initialize: ${end.problem}`,
      );
    case 'cancelled':
      return connectionFailure({ reason: 'closed', message: 'The connection was closed while it was being made.' });
    case 'result': {
      const revision = (end.result as { protocolVersion?: unknown } | null)?.protocolVersion;
      return typeof revision === 'string' && !LEGACY_REVISIONS.some((known) => known === revision)
        ? told(
            'connection.unsupportedRevision',
            { revision, supported: LEGACY_REVISIONS.join(', ') },
            `Unsupported protocol revision ${revision}`,
          )
        : told(
            'connection.invalidHandshake',
            { problem: engineMessage },
            `Invalid answer to initialize: ${engineMessage}`,
          );
    }
    default:
      return assertNever(end);
  }
}

function codeOf(failure: TransportFailure): string {
  switch (failure.reason) {
    case 'spawn-failed':
      return failure.code === 'ENOENT' ? 'connection.notFound' : 'connection.spawnFailed';
    case 'exited':
      return 'connection.exited';
    case 'refused':
      return 'connection.refused';
    case 'unresolved':
      return 'connection.unresolved';
    case 'tls':
      return 'connection.tls';
    case 'unauthorized':
      return 'connection.unauthorized';
    case 'http-status':
      return 'connection.httpStatus';
    case 'not-json-rpc':
      return 'connection.notJsonRpc';
    case 'session-lost':
      return 'connection.sessionLost';
    case 'reset':
    case 'stream-ended':
      return 'connection.reset';
    case 'accepted-without-answer':
      return 'connection.noAnswer';
    case 'unavailable':
    case 'closed':
      return 'connection.closed';
    case 'unknown':
      return 'connection.unknown';
    default:
      return assertNever(failure.reason);
  }
}
