import process from 'node:process';
import { systemClock } from '../../base/systemClock.ts';
import {
  type DemoDriver,
  type DemoStepResult,
  demoDefinitions,
  demoHttpDefinition,
  runDemoScript,
} from '../../demo/script.ts';
import { serverId } from '../../protocol/serverId.ts';
import { demoServerPath } from '../assets.ts';
import { type Client, openClient } from '../client.ts';
import { startDemoHttp } from '../demoHttp.ts';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import { outcomeText } from '../formats/verdictText.ts';
import type { Terminal } from '../terminal.ts';

export interface DemoOptions {
  readonly log?: string;
  readonly format: 'text' | 'json';
}

/** `faultline demo`: plays the scripted agent and prints a line for each of its calls. */
export async function demo(options: DemoOptions, terminal: Terminal): Promise<ExitCode> {
  const serverPath = demoServerPath();
  const http = await startDemoHttp(serverPath);
  if ('problem' in http) {
    terminal.err(`faultline: ${http.problem}\n`);
    return exitCodes.failed;
  }
  const stdio = demoDefinitions({ serverPath, execPath: process.execPath });
  const definitions = [...stdio, demoHttpDefinition(http.url)];
  const client = openClient({ definitions, log: options.log }, terminal);
  const interrupt = new AbortController();
  process.once('SIGINT', () => interrupt.abort());
  let printed = Promise.resolve();
  const onStep = (result: DemoStepResult) => {
    const line = options.format === 'json' ? asJson(result) : asText(result, terminal);
    printed = printed.then(() => terminal.out(line));
  };
  try {
    const results = await runDemoScript(driverOf(client), { clock: systemClock, signal: interrupt.signal, onStep });
    await printed;
    return results.every((result) => result.isAsExpected) ? exitCodes.clean : exitCodes.found;
  } finally {
    await client.close();
    http.stop();
  }
}

function driverOf({ pool, settings }: Client): DemoDriver {
  return {
    call: (server, tool, args, { timeoutMs, signal }) => {
      const params = { name: tool, arguments: args };
      const policy = { ...settings, retryOn: [], timeoutMs: timeoutMs ?? settings.timeoutMs };
      return pool.call(
        { server: serverId('demo', server), method: 'tools/call', params, origin: 'client' },
        { signal, policy },
      );
    },
  };
}

function took({ outcome }: DemoStepResult): number {
  return Math.round(outcome.attempts.reduce((sum, attempt) => sum + attempt.delayMs + attempt.durationMs, 0));
}

function asText(result: DemoStepResult, { style }: Terminal): string {
  const { step, outcome, isAsExpected } = result;
  const label = outcomeText(outcome.kind, outcome.detail.partial, (_style, text) => text);
  const painted = outcomeText(outcome.kind, outcome.detail.partial, style);
  const attempts = outcome.attempts.length > 1 ? `${outcome.attempts.length} attempts: ` : '';
  const surprise = isAsExpected ? '' : style('red', ` (foreseen was ${step.expect})`);
  const name = `${step.server} ${step.tool}`.padEnd(34);
  const padding = ' '.repeat(Math.max(0, 18 - label.length));
  return `${painted}${padding} ${name} ${String(took(result)).padStart(5)} ms  ${style('dim', attempts + step.shows)}${surprise}\n`;
}

function asJson(result: DemoStepResult): string {
  const { step, outcome, isAsExpected } = result;
  const { id, server, tool, expect, shows } = step;
  const attempts = outcome.attempts.map((attempt) => attempt.outcome);
  const line = {
    id,
    server,
    tool,
    outcome: outcome.kind,
    expected: expect,
    isAsExpected,
    attempts,
    ms: took(result),
    shows,
  };
  return `${JSON.stringify(line)}\n`;
}
