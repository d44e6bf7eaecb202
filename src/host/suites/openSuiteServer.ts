import path from 'node:path';
import * as vscode from 'vscode';
import { transportSecrets } from '../../core/log/redact/transportSecrets.ts';
import { SUITE_ENDING, type SuiteFile } from '../../core/replay/suites/suiteFile.ts';
import { makeSuiteFolder, type SuiteFolder } from '../../core/replay/suites/suiteFolder.ts';
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
import type { ServerDefinition } from '../../protocol/definition.ts';
import type { ServerId } from '../../protocol/events.ts';
import { say } from '../say.ts';
import { prepareDefinition, previewDefinition } from '../servers/prepare.ts';
import { workspaceRoots } from '../servers/serverService.ts';
import { TrustGate } from '../servers/trust.ts';
import type { SuiteServices } from './lateSuites.ts';

const { t } = vscode.l10n;

/** Events of a connection that are looked at to say why it failed. */
const EVENTS_OF_CONNECTION = 1000;

/** The id under which the traffic of a suite is recorded. */
export function serverIdOf(uri: vscode.Uri): ServerId {
  return `suite:${path.posix.basename(uri.path, SUITE_ENDING)}` as ServerId;
}

/**
 * Gives a function that starts a server of its own for a run of the suite: never the one that a person is connected to.
 * What it does is recorded as everything else is. A person agrees to its command once, as to any that comes with a folder.
 */
export function suiteServers(
  suite: SuiteFile,
  uri: vscode.Uri,
  services: SuiteServices,
): () => Promise<SuiteInstance | SuiteFailure> {
  const named = variablesOf(JSON.stringify(suite));
  return async () => {
    const secrets = new Map<string, string>();
    for (const name of secretsAmong(named)) {
      const value = await services.values.secret(name);
      if (value !== undefined) {
        secrets.set(name, value);
      }
    }
    const folder = await makeSuiteFolder(named);
    if ('code' in folder) {
      return folder;
    }
    const folders = { ...folder.variables, ...foldersOf(uri) };
    const { variables, known } = suiteValues({ folders, env: process.env, secrets }, named);
    const found = await definitionOf(suite, uri, variables, services);
    if ('problem' in found) {
      await folder.letGo();
      return { code: 'suite.noServer', args: { detail: found.problem } };
    }
    return open(found.definition, suite, variables, known, services, folder);
  };
}

async function open(
  found: ServerDefinition,
  suite: SuiteFile,
  variables: SuiteVariables,
  known: ReadonlyMap<string, string>,
  { clock, session, recording }: SuiteServices,
  folder: SuiteFolder,
): Promise<SuiteInstance> {
  const { createPool } = await import('../lateCore.ts');
  const settings = new SuiteSettings();
  const definition = { ...found, isTrusted: suite.trustAnnotations ?? found.isTrusted };
  const pool = createPool({
    clock,
    random: Math.random,
    sink: recording.log,
    session,
    settings: settings.current,
    toolPolicy: () => undefined,
    roots: workspaceRoots,
  });
  pool.setDefinitions([definition]);
  return createInstance({
    pool,
    settings,
    definition,
    variables,
    known: withSecrets(known, transportSecrets(definition.transport)),
    events: (connection) => recording.log.read({ connection, limit: EVENTS_OF_CONNECTION }),
    close: async () => {
      await pool.dispose();
      await folder.letGo();
    },
  });
}

/** The server's definition ready to be started, under the suite's own id, once a person has agreed to it. */
async function definitionOf(
  { server }: SuiteFile,
  uri: vscode.Uri,
  variables: SuiteVariables,
  { servers, values, context }: SuiteServices,
): Promise<{ readonly definition: ServerDefinition } | { readonly problem: string }> {
  await servers.loaded;
  const id = serverIdOf(uri);
  const unfilled =
    typeof server === 'string'
      ? servers.definitions().find(({ name, id: own }) => name === server || own === server)
      : suiteDefinition(server, variables, { id, isTrusted: false, path: uri.fsPath });
  if (unfilled === undefined) {
    return { problem: t('No server {0} is configured here.', String(server)) };
  }
  if (!(await new TrustGate(context.workspaceState).allows([previewDefinition(unfilled)]))) {
    return { problem: t('It was not agreed to start it.') };
  }
  const prepared = await prepareDefinition(unfilled, values);
  if ('definition' in prepared) {
    return { definition: { ...prepared.definition, id } };
  }
  return {
    problem:
      'problems' in prepared
        ? prepared.problems.map(({ code, args }) => say(code, args)).join(' ')
        : t('A question about it was not answered.'),
  };
}

function foldersOf(uri: vscode.Uri): Readonly<Record<string, string>> {
  const suiteFolder = path.dirname(uri.fsPath);
  const workspace = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath;
  return {
    suiteFolder,
    ...(workspace === undefined ? {} : { workspaceFolder: workspace }),
  };
}
