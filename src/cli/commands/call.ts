import process from 'node:process';
import { systemClock } from '../../base/systemClock.ts';
import { createFaultSource, type FaultSource } from '../../core/passthrough/faults/faultSource.ts';
import type { ServerId } from '../../protocol/events.ts';
import { jsonText } from '../../protocol/json.ts';
import { FAILURE_KINDS, type OutcomeKind } from '../../protocol/outcome.ts';
import { tellProgress } from '../callProgress.ts';
import { readCallWords } from '../callWords.ts';
import { type Client, openClient } from '../client.ts';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import { readFaultsOption } from '../faults.ts';
import { callAsText } from '../formats/callText.ts';
import { causeOf, causesAsText } from '../formats/causeText.ts';
import { listsAsText } from '../formats/listsText.ts';
import { chooseServer, isGiven, type ServerOptions } from '../servers.ts';
import { createSignIn } from '../signIn.ts';
import type { Terminal } from '../terminal.ts';
import { readSeed } from './tapUsage.ts';

export interface CallCommandOptions extends ServerOptions {
  readonly server?: string;
  readonly resource?: string;
  readonly prompt?: string;
  readonly list?: boolean;
  readonly signIn?: boolean;
  readonly timeoutMs?: number;
  readonly connectTimeoutMs?: number;
  readonly maxAttempts?: number;
  readonly faults?: string;
  readonly seed?: string;
  readonly log?: string;
  readonly format: 'text' | 'json';
}

/**
 * `faultline call`: calls a tool, reads a resource, gets a prompt or lists what there is, and tells what became of it and why.
 * Ctrl+C cancels the call, and is told as that.
 */
export async function call(
  words: readonly string[],
  options: CallCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const hasServer = isGiven(options) || options.server !== undefined;
  const wanted = readCallWords(words, { ...options, hasServer });
  if (typeof wanted === 'string') {
    return refuse(wanted, terminal);
  }
  const choice = await chooseServer(wanted.server, options, terminal);
  if ('problem' in choice) {
    return refuse(choice.problem, terminal);
  }
  const { definition } = choice;
  const settings = {
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    ...(options.connectTimeoutMs === undefined ? {} : { connectTimeoutMs: options.connectTimeoutMs }),
    ...(options.maxAttempts === undefined ? {} : { maxAttempts: Math.max(1, options.maxAttempts) }),
  };
  const faults = await openFaults(options, terminal);
  if (faults === 'wrong') {
    return exitCodes.failed;
  }
  const authorizer = createSignIn(options.signIn, terminal);
  const client = openClient({ definitions: [definition], settings, log: options.log, authorizer, faults }, terminal);
  const interrupt = new AbortController();
  process.once('SIGINT', () => interrupt.abort());
  try {
    if (wanted.kind === 'lists') {
      return await list(client, definition.id, options, terminal);
    }
    const { method, params, target } = wanted;
    const request = { server: definition.id, method, params, origin: 'client' } as const;
    const told = options.format === 'text' ? tellProgress(terminal, systemClock) : {};
    const outcome = await client.pool.call(request, { ...told, signal: interrupt.signal });
    const { end } = outcome.detail;
    const cause = end.kind === 'transport' ? causeOf(client, definition, end.failure) : undefined;
    await terminal.out(
      options.format === 'json'
        ? `${jsonText({ ...outcome, ...(cause === undefined ? {} : { cause }) })}\n`
        : callAsText(definition.name, target, outcome, terminal.style) + causesAsText(cause),
    );
    return exitCodeOf(outcome.kind);
  } finally {
    await client.close();
  }
}

/** The faults that are to be injected; what cannot be read is told, and nothing is called. */
async function openFaults(
  { faults, seed: given }: CallCommandOptions,
  terminal: Terminal,
): Promise<FaultSource | undefined | 'wrong'> {
  const seed = readSeed(given);
  if (seed === 'wrong' || (faults === undefined && seed !== undefined)) {
    refuse(seed === 'wrong' ? '--seed takes a whole number' : '--seed goes with --faults', terminal);
    return 'wrong';
  }
  if (faults === undefined) {
    return undefined;
  }
  const read = await readFaultsOption(faults, terminal.cwd);
  if ('problem' in read) {
    refuse(read.problem, terminal);
    return 'wrong';
  }
  terminal.err(`faultline: injecting faults on purpose: ${read.plan.name ?? faults}\n`);
  return createFaultSource({ plan: read.plan, seed, clock: systemClock });
}

/** Connects and prints what the server offers, or why it does not come up. */
async function list(
  client: Client,
  server: ServerId,
  { format }: CallCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const state = await client.pool.connect(server);
  if (state.kind !== 'running') {
    const definition = client.pool.connections.get(server)?.definition;
    const cause =
      state.kind === 'failed' && definition !== undefined
        ? causeOf(client, definition, state.failure.failure)
        : undefined;
    await terminal.out(format === 'json' ? `${JSON.stringify({ kind: state.kind, cause })}\n` : causesAsText(cause));
    return exitCodes.found;
  }
  const lists = await client.pool.listed(server);
  await terminal.out(format === 'json' ? `${jsonText(lists)}\n` : listsAsText(lists));
  return exitCodes.clean;
}

/** A call that waits for a person or for its task has not failed. */
function exitCodeOf(kind: OutcomeKind): ExitCode {
  return FAILURE_KINDS.has(kind) || kind === 'cancelled' ? exitCodes.found : exitCodes.clean;
}

function refuse(problem: string, terminal: Terminal): ExitCode {
  terminal.err(`faultline: ${problem}\n`);
  return exitCodes.failed;
}
