import path from 'node:path';
import type { Definitions } from '../core/client/definitions.ts';
import type { DefinitionProblem, HttpDefinition, ServerDefinition, StdioDefinition } from '../protocol/definition.ts';
import { serverId } from '../protocol/serverId.ts';
import { splitCommandLine } from './commandLine.ts';
import { discoverServers } from './discoverServers.ts';
import { fillIn, secretVariable } from './fillIn.ts';
import { sentence } from './formats/verdictText.ts';
import type { Terminal } from './terminal.ts';

/** How a variable begins that stands for an input. */
const INPUT = ['$', '{input:'].join('');

/** A server ready to be started, or why there is none, in a sentence. */
export type ServerChoice = { readonly definition: ServerDefinition } | { readonly problem: string };

/** What the command line says of the server to use. */
export interface ServerOptions {
  /** A command line as one word, and as words of its own. */
  readonly command?: string;
  readonly commandWords?: readonly string[];
  readonly url?: string;
  /** `Name: value`. */
  readonly header?: readonly string[];
  readonly sse?: boolean;
  readonly trust: boolean;
  readonly config?: string;
  /** `id=value`. */
  readonly input?: readonly string[];
}

/** Whether the command line itself describes a server. */
export function isGiven({ command, commandWords, url }: ServerOptions): boolean {
  return command !== undefined || commandWords !== undefined || url !== undefined;
}

/** The server that the command line describes, or that some configuration has under `name`. Tells of problems in files. */
export function chooseServer(
  name: string | undefined,
  options: ServerOptions,
  terminal: Terminal,
): Promise<ServerChoice> {
  return isGiven(options)
    ? Promise.resolve(givenServer(name ?? 'server', options))
    : namedServer(name ?? '', options, terminal);
}

/** A server that the command line itself describes. */
function givenServer(name: string, given: ServerOptions): ServerChoice {
  const ways = [given.command, given.commandWords, given.url].filter((way) => way !== undefined);
  if (ways.length > 1) {
    return { problem: 'a server is given by one of --command, --url and -- COMMAND, not by several' };
  }
  const transport =
    given.url === undefined
      ? stdioOf(given.commandWords ?? splitCommandLine(given.command ?? ''), given)
      : httpOf(given.url, given);
  if (typeof transport === 'string') {
    return { problem: transport };
  }
  const id = serverId('command-line', name);
  return { definition: { id, name, source: { kind: 'command-line' }, transport, isTrusted: given.trust } };
}

function stdioOf(words: readonly string[] | undefined, { command: line, header }: ServerOptions) {
  const [command, ...args] = words ?? [];
  if (command === undefined) {
    return line === undefined ? 'no command stands after --' : `--command is empty or has an open quote: ${line}`;
  }
  return header === undefined
    ? ({ type: 'stdio', command, args, env: {} } satisfies StdioDefinition)
    : '--header goes with --url only';
}

function httpOf(url: string, { header = [], sse }: ServerOptions): HttpDefinition | string {
  if (!URL.canParse(url) || !/^https?:/i.test(url)) {
    return `--url must be an http or https URL, not ${url}`;
  }
  const headers: Record<string, string> = {};
  for (const line of header) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]{1,200}):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      return `--header must be "Name: value", not ${line.split(':', 1)[0]}`;
    }
    headers[name] = value;
  }
  return { type: 'http', url, headers, ...(sse === true ? { isLegacySse: true } : {}) };
}

/** A server of some client's configuration, by its name or `<source>:<name>`, its variables filled in. */
async function namedServer(name: string, options: ServerOptions, terminal: Terminal): Promise<ServerChoice> {
  const discovered = await discoverServers({ cwd: terminal.cwd, trust: options.trust, config: options.config });
  const found = discovered.definitions.filter((definition) => definition.name === name || definition.id === name);
  const [first] = found;
  for (const problem of discovered.problems.filter(
    ({ path: file }) => first === undefined || isNear(file, options, terminal),
  )) {
    terminal.err(`faultline: ${problemText(problem)}\n`);
  }
  if (first === undefined) {
    return { problem: `there is no usable server ${name}; ${knownServers(discovered)}` };
  }
  if (found.some(({ transport }) => JSON.stringify(transport) !== JSON.stringify(first.transport))) {
    const ids = found.map(({ id, source }) => `${id} (${source.path ?? source.kind})`).join(', ');
    return { problem: `several servers are called ${name}; name one of them: ${ids}` };
  }
  const inputs = inputsOf(options.input ?? []);
  if (typeof inputs === 'string') {
    return { problem: inputs };
  }
  const resolution = await fillIn(first, inputs, terminal);
  return 'definition' in resolution
    ? { definition: resolution.definition }
    : { problem: resolution.problems.map((problem) => `${problemText(problem)}${hintOf(problem)}`).join('\n') };
}

/** Another client's file elsewhere on the machine is nobody's business as long as it is not needed. */
function isNear(file: string, { config }: ServerOptions, { cwd }: Terminal): boolean {
  return config !== undefined || !path.relative(cwd, file).startsWith('..');
}

function knownServers({ definitions }: Definitions): string {
  const places = definitions.map(({ name, source }) => `${name} (${source.path ?? source.kind})`);
  return places.length === 0
    ? 'no client has any in this folder or on this machine; describe one by --url or -- COMMAND'
    : `there is: ${places.join(', ')}`;
}

function inputsOf(given: readonly string[]): Readonly<Record<string, string>> | string {
  const pairs = given.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const);
  const isWrong = given.find((pair) => pair.indexOf('=') < 1);
  return isWrong === undefined ? Object.fromEntries(pairs) : `--input must be id=value, not ${isWrong}`;
}

/** What to do about it here, where the editor would have asked. */
function hintOf({ code, args }: DefinitionProblem): string {
  const { variable = '', name = '' } = args;
  if (code === 'definition.noSecret') {
    return ` Set ${secretVariable(String(name))} in the environment.`;
  }
  return String(variable).startsWith(INPUT) ? ` Give it by --input ${name}=….` : '';
}

function problemText({ path: file, range, code, args }: DefinitionProblem): string {
  return `${file}:${range.startLine + 1}:${range.startColumn + 1}: ${sentence(code, args)}`;
}
