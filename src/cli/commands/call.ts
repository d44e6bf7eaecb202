import process from 'node:process';
import type { JsonObject } from '../../protocol/jsonrpc.ts';
import { FAILURE_KINDS, type OutcomeKind } from '../../protocol/outcome.ts';
import { openClient } from '../client.ts';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import { callAsText } from '../formats/callText.ts';
import { givenServer, namedServer } from '../servers.ts';
import type { Terminal } from '../terminal.ts';

export interface CallCommandOptions {
  readonly command?: string;
  readonly url?: string;
  readonly timeoutMs?: number;
  readonly maxAttempts?: number;
  readonly trust: boolean;
  readonly log?: string;
  readonly format: 'text' | 'json';
}

interface Words {
  readonly server: string | undefined;
  readonly tool: string;
  readonly args: JsonObject;
}

/** `faultline call`: calls one tool and tells its outcome. Ctrl+C cancels the call, and is told as that. */
export async function call(
  words: readonly string[],
  options: CallCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const wanted = readWords(words);
  if (typeof wanted === 'string') {
    return refuse(wanted, terminal);
  }
  const isGiven = options.command !== undefined || options.url !== undefined;
  if (!isGiven && wanted.server === undefined) {
    return refuse('name a server and a tool, or the server by --command or --url', terminal);
  }
  const server = wanted.server ?? 'server';
  const choice = isGiven ? givenServer(server, options) : await namedServer(server, options.trust, terminal);
  if ('problem' in choice) {
    return refuse(choice.problem, terminal);
  }
  const { definition } = choice;
  const settings = {
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    ...(options.maxAttempts === undefined ? {} : { maxAttempts: Math.max(1, options.maxAttempts) }),
  };
  const client = openClient({ definitions: [definition], settings, log: options.log }, terminal);
  const interrupt = new AbortController();
  process.once('SIGINT', () => interrupt.abort());
  try {
    const params = { name: wanted.tool, arguments: wanted.args };
    const request = { server: definition.id, method: 'tools/call', params, origin: 'client' } as const;
    const outcome = await client.pool.call(request, { signal: interrupt.signal });
    await terminal.out(
      options.format === 'json'
        ? `${JSON.stringify(outcome)}\n`
        : callAsText(definition.name, wanted.tool, outcome, terminal.style),
    );
    return exitCodeOf(outcome.kind);
  } finally {
    await client.close();
  }
}

/** A call that waits for a person or for its task has not failed. */
function exitCodeOf(kind: OutcomeKind): ExitCode {
  return FAILURE_KINDS.has(kind) || kind === 'cancelled' ? exitCodes.found : exitCodes.clean;
}

/** `[SERVER] TOOL [JSON]`; what begins like an object is the JSON. A sentence when it is not so. */
function readWords(words: readonly string[]): Words | string {
  const last = words.at(-1) ?? '';
  const hasArgs = words.length > 1 && last.trimStart().startsWith('{');
  const names = hasArgs ? words.slice(0, -1) : words;
  const [first = '', second] = names;
  if (names.length > 2) {
    return `the arguments of the tool must be a JSON object, not ${last}`;
  }
  const args = hasArgs ? parseObject(last) : {};
  if (args === undefined) {
    return `the arguments of the tool are not valid JSON: ${last}`;
  }
  return second === undefined ? { server: undefined, tool: first, args } : { server: first, tool: second, args };
}

function parseObject(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined;
  }
}

function refuse(problem: string, terminal: Terminal): ExitCode {
  terminal.err(`faultline: ${problem}\n`);
  return exitCodes.failed;
}
