import type { ServerDefinition } from '../../../protocol/definition.ts';
import type { LogEvent, TransportFailure } from '../../../protocol/events.ts';
import type { ConnectionFailure } from '../failure.ts';
import type { StartFacts } from './diagnose.ts';

const KEPT_LINES = 40;

/**
 * Picks what a diagnosis wants out of the recorded events of one connection, in their order. What was started or contacted
 * is the definition's word where it is given, else that of the events.
 */
export function startFacts(
  failure: ConnectionFailure | TransportFailure,
  events: Iterable<Pick<LogEvent, 'body'>>,
  transport?: ServerDefinition['transport'],
): StartFacts {
  const noise: {
    raw: string;
    problem: 'not-json' | 'not-jsonrpc' | 'frame-too-large' | 'lsp-framing' | 'unterminated';
  }[] = [];
  const stderr: string[] = [];
  let http: StartFacts['http'];
  let target = transport?.type === 'stdio' ? transport.command : transport?.url;
  let isHttp = transport?.type === 'http';
  for (const { body } of events) {
    if (body.kind === 'noise' && noise.length < KEPT_LINES) {
      noise.push({ raw: body.raw, problem: body.problem });
    } else if (body.kind === 'stderr') {
      stderr.push(body.line);
    } else if (body.kind === 'http') {
      http = body;
      isHttp = true;
    } else if (body.kind === 'lifecycle' && body.detail.step === 'spawn') {
      target ??= body.detail.command;
    } else if (body.kind === 'lifecycle' && body.detail.step === 'connecting') {
      target ??= body.detail.url;
      isHttp = true;
    }
  }
  return {
    failure,
    transport: isHttp ? 'http' : 'stdio',
    ...(target === undefined ? {} : { target }),
    noise,
    stderr: stderr.slice(-KEPT_LINES),
    http,
  };
}
