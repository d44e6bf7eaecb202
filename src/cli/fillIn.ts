import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { variablesIn } from '../core/client/discovery/inputs.ts';
import { readEnvFile } from '../core/client/envFile.ts';
import { type Resolution, resolveVariables } from '../core/client/resolveVariables.ts';
import type { DefinitionInput, ServerDefinition } from '../protocol/definition.ts';
import type { Terminal } from './terminal.ts';

/** The environment variable that a secret is taken from: the editor's own store is not open to others. */
export function secretVariable(name: string): string {
  return `FAULTLINE_SECRET_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
}

/**
 * A definition with its variables filled in, as the editor does it: inputs by `given`, else asked for where there is somebody
 * to ask, else their default; secrets from the environment, else asked for. What stays unknown is a problem that names it.
 */
export async function fillIn(
  definition: ServerDefinition,
  given: Readonly<Record<string, string>>,
  terminal: Terminal,
): Promise<Resolution> {
  const inputs: Record<string, string> = { ...given };
  for (const input of definition.inputs ?? []) {
    const answer = Object.hasOwn(given, input.id) ? given[input.id] : await askFor(input, terminal);
    if (answer !== undefined) {
      inputs[input.id] = answer;
    }
  }
  const secrets: Record<string, string> = {};
  for (const variable of variablesIn(definition.transport).filter((each) => each.startsWith('secret:'))) {
    const name = variable.slice('secret:'.length);
    const value = process.env[secretVariable(name)] ?? (await terminal.ask(`Secret ${name}: `, { isSecret: true }));
    if (value !== undefined) {
      secrets[name] = value;
    }
  }
  return resolveVariables(definition, {
    workspaceFolder: terminal.cwd,
    workspaceFolders: { [path.basename(terminal.cwd)]: terminal.cwd },
    userHome: homedir(),
    env: process.env,
    readEnvFile,
    inputs,
    secrets,
    separator: path.sep === '\\' ? '\\' : '/',
  });
}

async function askFor(input: DefinitionInput, terminal: Terminal): Promise<string | undefined> {
  switch (input.type) {
    case 'promptString': {
      const suggestion = input.default === undefined ? '' : ` [${input.default}]`;
      const answer = await terminal.ask(`${input.description}${suggestion}: `, { isSecret: input.password });
      return answer === undefined || answer === '' ? input.default : answer;
    }
    case 'pickString': {
      const names = input.options.map(({ label }) => label).join(', ');
      const answer = await terminal.ask(`${input.description} (${names}): `);
      const chosen = input.options.find(({ label, value }) => label === answer || value === answer);
      return chosen?.value ?? input.default;
    }
    case 'command':
      // Only the editor can run it.
      return undefined;
  }
}
