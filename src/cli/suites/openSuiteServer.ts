import path from 'node:path';
import process from 'node:process';
import { transportSecrets } from '../../core/log/redact/transportSecrets.ts';
import type { SuiteFile } from '../../core/replay/suites/suiteFile.ts';
import { makeSuiteFolder } from '../../core/replay/suites/suiteFolder.ts';
import {
  createInstance,
  type SuiteFailure,
  type SuiteInstance,
  SuiteSettings,
} from '../../core/replay/suites/suiteInstance.ts';
import { suiteDefinition } from '../../core/replay/suites/suiteServer.ts';
import {
  type SuiteVariables,
  secretsAmong,
  suiteValues,
  variablesOf,
  withSecrets,
} from '../../core/replay/suites/suiteVariables.ts';
import { serverId } from '../../protocol/serverId.ts';
import { openClient } from '../client.ts';
import { fillIn, secretVariable } from '../fillIn.ts';
import { chooseServer, type ServerChoice, type ServerOptions } from '../servers.ts';
import type { Terminal } from '../terminal.ts';

export interface SuiteSource {
  readonly suite: SuiteFile;
  /** Absolute path of its file. */
  readonly path: string;
}

export interface SuiteServerOptions extends Pick<ServerOptions, 'config' | 'input' | 'trust'> {
  /** File that every event is recorded in; memory when absent. */
  readonly log?: string;
}

/**
 * Gives a function that starts a server of its own for a run of the suite, with a temporary folder where it wants one.
 * Secrets are looked up, or asked for where there is somebody to ask, once.
 */
export async function suiteServers(
  { suite, path: file }: SuiteSource,
  options: SuiteServerOptions,
  terminal: Terminal,
): Promise<() => Promise<SuiteInstance | SuiteFailure>> {
  const named = variablesOf(JSON.stringify(suite));
  const secrets = await secretsOf(named, terminal);
  return async () => {
    const folder = await makeSuiteFolder(named);
    if ('code' in folder) {
      return folder;
    }
    const folders = {
      ...folder.variables,
      suiteFolder: path.dirname(file),
      workspaceFolder: terminal.cwd,
    };
    const { variables, known } = suiteValues({ folders, env: process.env, secrets }, named);
    const choice = await definitionOf(suite, variables, options, terminal);
    if ('problem' in choice) {
      await folder.letGo();
      return { code: 'suite.noServer', args: { detail: choice.problem } };
    }
    const settings = new SuiteSettings();
    const definition = {
      ...choice.definition,
      isTrusted: suite.trustAnnotations ?? choice.definition.isTrusted,
    };
    const client = openClient({ definitions: [definition], settings: settings.current, log: options.log }, terminal);
    return createInstance({
      pool: client.pool,
      settings,
      definition,
      variables,
      known: withSecrets(known, transportSecrets(definition.transport)),
      events: (connection) => client.events(connection),
      close: async () => {
        await client.close();
        await folder.letGo();
      },
    });
  };
}

async function definitionOf(
  { server }: SuiteFile,
  variables: SuiteVariables,
  options: SuiteServerOptions,
  terminal: Terminal,
): Promise<ServerChoice> {
  if (typeof server === 'string') {
    return chooseServer(server, options, terminal);
  }
  const unfilled = suiteDefinition(server, variables, {
    id: serverId('command-line', 'suite'),
    isTrusted: options.trust,
  });
  const resolution = await fillIn(unfilled, {}, terminal);
  if ('definition' in resolution) {
    return resolution;
  }
  const names = resolution.problems.map(({ args, code }) => String(args['variable'] ?? code));
  return { problem: `nothing is known for ${names.join(', ')}` };
}

/** Secrets by their names, from the environment or a person. */
async function secretsOf(named: readonly string[], terminal: Terminal): Promise<ReadonlyMap<string, string>> {
  const secrets = new Map<string, string>();
  for (const name of secretsAmong(named)) {
    const value = process.env[secretVariable(name)] ?? (await terminal.ask(`Secret ${name}: `, { isSecret: true }));
    if (value !== undefined) {
      secrets.set(name, value);
    }
  }
  return secrets;
}
