import { safeLine } from '../../base/safeText.ts';
import { isRefusal } from '../../core/replay/recordedRequest.ts';
import { idempotencyOf, type ToolHints } from '../../core/resilience/idempotency.ts';
import type { ReplayPolicy } from '../../core/resilience/policy.ts';
import type { ServerDefinition } from '../../protocol/definition.ts';
import type { ServerId } from '../../protocol/events.ts';
import { nameInId } from '../../protocol/serverId.ts';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import { sentence } from '../formats/verdictText.ts';
import type { Terminal } from '../terminal.ts';
import type { RecordedCall } from './recordedCalls.ts';
import type { ReplayTargets } from './replayTargets.ts';

export interface DryRunOptions {
  readonly calls: readonly RecordedCall[];
  readonly targets: ReplayTargets;
  readonly policy: ReplayPolicy;
  readonly yesUnsafe: boolean;
  readonly format: 'text' | 'json';
  /** What the recorded servers said of their tools. */
  readonly hintsOf: (server: ServerId, tool: string) => ToolHints | undefined;
}

/** What would become of a call. */
type Fate =
  | { readonly kind: 'sent'; readonly to: string; readonly because: string }
  | { readonly kind: 'not-sent'; readonly because: string };

/**
 * Says of each call whether it would be sent, to whom, and why or why not. Starts and contacts nothing: what is safe is told by
 * what the server said of its tools when it was recorded.
 */
export async function dryRun(options: DryRunOptions, terminal: Terminal): Promise<ExitCode> {
  for (const call of options.calls) {
    const fate = fateOf(call, options);
    const { key, exchange } = call;
    const { server, method, target } = exchange;
    const name = `#${key} ${safeLine(nameInId(server), 100)} ${safeLine(target ?? method, 100)}`;
    const lines =
      fate.kind === 'sent'
        ? `${name}: ${terminal.style('green', 'would be sent')} to ${safeLine(fate.to, 300)}\n  ${fate.because}\n`
        : `${name}: ${terminal.style('yellow', 'would not be sent')}\n  ${fate.because}\n`;
    const { kind, ...rest } = fate;
    await terminal.out(
      options.format === 'json'
        ? `${JSON.stringify({ key, server, method, target, isSent: kind === 'sent', ...rest })}\n`
        : lines,
    );
  }
  return exitCodes.clean;
}

function fateOf({ request, exchange }: RecordedCall, { targets, yesUnsafe, hintsOf }: DryRunOptions): Fate {
  if (isRefusal(request)) {
    return { kind: 'not-sent', because: sentence(request.code, request.args) };
  }
  const definition = targets.definitions.get(exchange.server);
  if (definition === undefined) {
    return { kind: 'not-sent', because: targets.problems.get(exchange.server) ?? '' };
  }
  const name = request.params?.['name'];
  const tool = request.method === 'tools/call' && typeof name === 'string' ? name : undefined;
  const { isIdempotent, reason } = idempotencyOf({
    method: request.method,
    hints: tool === undefined ? undefined : hintsOf(exchange.server, tool),
    isTrusted: definition.isTrusted,
  });
  if (isIdempotent) {
    return { kind: 'sent', to: addressOf(definition), because: sentence(reason) };
  }
  const why = sentence(reason.replace('notIdempotent.', 'replay.confirm.'), {
    server: definition.name,
    target: tool ?? request.method,
  });
  return yesUnsafe
    ? { kind: 'sent', to: addressOf(definition), because: `${why} --yes-unsafe allows it.` }
    : { kind: 'not-sent', because: `${why} --yes-unsafe would allow it.` };
}

function addressOf({ name, transport }: ServerDefinition): string {
  return transport.type === 'http'
    ? `${name} at ${transport.url}`
    : `${name}: ${[transport.command, ...transport.args].join(' ')}`;
}
