import type { Clock } from '../base/clock.ts';
import type { CallOutcome } from '../protocol/call.ts';
import type { ServerDefinition } from '../protocol/definition.ts';
import type { ServerId } from '../protocol/events.ts';
import { memberOf } from '../protocol/json.ts';
import type { JsonObject, JsonValue } from '../protocol/jsonrpc.ts';
import { type DemoServer, type DemoStep, demoSteps } from './steps.ts';

/** What a call of the script asks for beside its arguments. */
export interface DemoCallOptions {
  /** Limit of each attempt. */
  readonly timeoutMs?: number;
  /** Aborts when the agent cancels the call, or when the whole script is stopped. */
  readonly signal: AbortSignal;
}

/** How the script's calls are made: by the host's client or the command line's. Must not reject. */
export interface DemoDriver {
  call(server: DemoServer, tool: string, args: JsonObject, options: DemoCallOptions): Promise<CallOutcome>;
}

export interface DemoStepResult {
  readonly step: DemoStep;
  readonly outcome: CallOutcome;
  /** False when the call did not end as the script foresaw: a defect of the client, or of the judge. */
  readonly isAsExpected: boolean;
}

export interface DemoRun {
  readonly clock: Clock;
  /** Stops the script: the call in flight is cancelled, no other is made. */
  readonly signal?: AbortSignal;
  readonly onStep?: (result: DemoStepResult) => void;
}

/** Plays the scripted agent, one call after the other, and returns what became of each. Takes 5 to 10 seconds. */
export async function runDemoScript(
  driver: DemoDriver,
  { clock, signal, onStep }: DemoRun,
  steps: readonly DemoStep[] = demoSteps,
): Promise<readonly DemoStepResult[]> {
  const results: DemoStepResult[] = [];
  for (const step of steps) {
    if (signal?.aborted === true) {
      break;
    }
    const args = argumentsOf(step, results);
    const patience = new AbortController();
    const timer =
      step.cancelAfterMs === undefined ? undefined : clock.setTimer(step.cancelAfterMs, () => patience.abort());
    const outcome = await driver.call(step.server, step.tool, args, {
      ...(step.timeoutMs === undefined ? {} : { timeoutMs: step.timeoutMs }),
      signal: signal === undefined ? patience.signal : AbortSignal.any([signal, patience.signal]),
    });
    timer?.dispose();
    const result = { step, outcome, isAsExpected: outcome.kind === step.expect };
    results.push(result);
    onStep?.(result);
  }
  return results;
}

function argumentsOf(step: DemoStep, earlier: readonly DemoStepResult[]): JsonObject {
  const taken = Object.entries(step.argsFromText ?? {}).map(([name, id]) => {
    const source = earlier.find((result) => result.step.id === id);
    return [name, source === undefined ? '' : textOf(source.outcome)] as const;
  });
  return { ...step.args, ...Object.fromEntries(taken) };
}

/** The text of a tool's answer as the model reads it: its text blocks, one a line; empty when there was no result. */
export function textOf(outcome: CallOutcome): string {
  const { end } = outcome.detail;
  const content = end.kind === 'result' ? memberOf(end.result, 'content') : undefined;
  return Array.isArray(content)
    ? content
        .flatMap((block: JsonValue) => {
          const text = memberOf(block, 'text');
          return typeof text === 'string' ? [text] : [];
        })
        .join('\n')
    : '';
}

/** Where the demo server's bundle is, and the Node.js, or the Electron that can be one, to run it. */
export interface DemoPaths {
  readonly serverPath: string;
  readonly execPath: string;
}

/** Electron's own switch to be Node.js; nothing else knows it. */
export const demoEnv: Readonly<Record<string, string>> = { ELECTRON_RUN_AS_NODE: '1' };

/** The demo server over stdio. Trusted, since it is part of the product: its annotations decide what is retried. */
export function demoDefinitions({ serverPath, execPath }: DemoPaths): readonly ServerDefinition[] {
  return [
    {
      id: 'demo:bookshop' as ServerId,
      name: 'bookshop',
      source: { kind: 'demo' },
      transport: { type: 'stdio', command: execPath, args: [serverPath], env: demoEnv },
      isTrusted: true,
    },
  ];
}

/**
 * Arguments, after the executable, that start the demo server over HTTP on a free port. It then says its URL on stderr,
 * see `listeningUrl`, and ends when its stdin does, so whoever starts it must hold that pipe open.
 */
export function demoHttpArgs(serverPath: string): readonly string[] {
  return [serverPath, '--http', '--port', '0', '--until-stdin-ends'];
}

/** The URL, if `line` of the HTTP server's stderr is the one that tells it. */
export function listeningUrl(line: string): string | undefined {
  return /^listening on (http:\/\/127\.0\.0\.1:\d+\/mcp)$/.exec(line.trim())?.[1];
}

/** The demo server over HTTP, at the URL that it said. */
export function demoHttpDefinition(url: string): ServerDefinition {
  return {
    id: 'demo:bookshop-http' as ServerId,
    name: 'bookshop-http',
    source: { kind: 'demo' },
    transport: { type: 'http', url, headers: {} },
    isTrusted: true,
  };
}
