import type { ServerDefinition } from '../../../protocol/definition.ts';
import type { LogEvent, TransportFailure } from '../../../protocol/events.ts';
import type { ConnectionFailure } from '../failure.ts';
import type { StartFacts } from './diagnose.ts';

const KEPT_LINES = 40;

/** Picks what a diagnosis wants out of the recorded events of one connection, in their order. */
export function startFacts(
  failure: ConnectionFailure | TransportFailure,
  transport: ServerDefinition['transport'],
  events: Iterable<Pick<LogEvent, 'body'>>,
): StartFacts {
  const noise: {
    raw: string;
    problem: 'not-json' | 'not-jsonrpc' | 'frame-too-large' | 'lsp-framing' | 'unterminated';
  }[] = [];
  const stderr: string[] = [];
  let http: StartFacts['http'];
  for (const { body } of events) {
    if (body.kind === 'noise' && noise.length < KEPT_LINES) {
      noise.push({ raw: body.raw, problem: body.problem });
    } else if (body.kind === 'stderr') {
      stderr.push(body.line);
    } else if (body.kind === 'http') {
      http = body;
    }
  }
  return {
    failure,
    transport: transport.type,
    target: transport.type === 'stdio' ? transport.command : transport.url,
    noise,
    stderr: stderr.slice(-KEPT_LINES),
    http,
  };
}
