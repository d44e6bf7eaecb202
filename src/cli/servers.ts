import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseEnv } from 'node:util';
import { parseDefinitions, serverId } from '../core/client/definitions.ts';
import { resolveVariables } from '../core/client/resolveVariables.ts';
import type { DefinitionProblem, HttpDefinition, ServerDefinition, StdioDefinition } from '../protocol/definition.ts';
import { splitCommandLine } from './commandLine.ts';
import { sentence } from './formats/verdictText.ts';
import type { Terminal } from './terminal.ts';

/** A server ready to be started, or why there is none, in a sentence. */
export type ServerChoice = { readonly definition: ServerDefinition } | { readonly problem: string };

/** A server that the command line itself describes. */
export function givenServer(
  name: string,
  given: { readonly command?: string; readonly url?: string; readonly trust: boolean },
): ServerChoice {
  const transport = given.url === undefined ? stdioOf(given.command ?? '') : httpOf(given.url);
  if (typeof transport === 'string') {
    return { problem: transport };
  }
  const id = serverId('command-line', name);
  return { definition: { id, name, source: { kind: 'command-line' }, transport, isTrusted: given.trust } };
}

function stdioOf(line: string): StdioDefinition | string {
  const [command, ...args] = splitCommandLine(line) ?? [];
  return command === undefined
    ? `--command is empty or has an open quote: ${line}`
    : { type: 'stdio', command, args, env: {} };
}

function httpOf(url: string): HttpDefinition | string {
  return URL.canParse(url) && /^https?:/i.test(url)
    ? { type: 'http', url, headers: {} }
    : `--url must be an http or https URL, not ${url}`;
}

/** A server of `.vscode/mcp.json` in the working directory, its variables filled in. Tells of problems in that file. */
export async function namedServer(name: string, trust: boolean, terminal: Terminal): Promise<ServerChoice> {
  const file = path.join(terminal.cwd, '.vscode', 'mcp.json');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) {
    return { problem: `${file} cannot be read; name a server by --command or --url instead` };
  }
  const isTrusted = () => trust;
  const { definitions, problems } = parseDefinitions(text, { kind: 'vscode-mcp-json', path: file, isTrusted });
  for (const problem of problems) {
    terminal.err(`faultline: ${problemText(problem)}\n`);
  }
  const found = definitions.find((definition) => definition.name === name);
  if (found === undefined) {
    const names = definitions.map((definition) => definition.name).join(', ');
    return { problem: `there is no usable server ${name} in ${file}; there is: ${names === '' ? 'none' : names}` };
  }
  const resolution = resolveVariables(found, {
    workspaceFolder: terminal.cwd,
    userHome: homedir(),
    env: process.env,
    readEnvFile,
  });
  return 'definition' in resolution
    ? { definition: resolution.definition }
    : { problem: resolution.problems.map(problemText).join('\n') };
}

function readEnvFile(file: string): Readonly<Record<string, string>> | undefined {
  try {
    const values = Object.entries(parseEnv(readFileSync(file, 'utf8')));
    return Object.fromEntries(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  } catch {
    return undefined;
  }
}

function problemText({ path: file, range, code, args }: DefinitionProblem): string {
  return `${file}:${range.startLine + 1}:${range.startColumn + 1}: ${sentence(code, args)}`;
}
