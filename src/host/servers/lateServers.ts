import * as vscode from 'vscode';
import { CrashSupervisor } from '../../core/client/diagnosis/crashSupervisor.ts';
import type { ConnectionFailure } from '../../core/client/failure.ts';
import type { DefinitionProblem } from '../../protocol/definition.ts';
import { serverRequestHandlers } from '../calls/serverRequests.ts';
import { traceMeta } from '../otlp/traceMeta.ts';
import { say } from '../say.ts';
import { watchDefinitions } from './definitionSources.ts';
import { explain, explainLoop } from './explain.ts';
import { prepareDefinition, previewDefinition } from './prepare.ts';
import type { ServerService, ServerView } from './serverService.ts';
import { setSecret } from './setSecret.ts';
import { SignIn } from './signIn.ts';
import type { ValueStore } from './valueStore.ts';
import { watchSources } from './watchMode.ts';

// Its own bundle, loaded when activation is over: reading definitions, preparing starts, explaining failures.

/** The failure of a start whose definition could not be filled in. */
export function failureOf(problems: readonly DefinitionProblem[]): ConnectionFailure {
  const problem = problems.map(({ code, args }) => say(code, args)).join(' ');
  const code = 'connection.unprepared';
  return { code, remedy: `${code}.remedy`, args: { problem }, failure: { reason: 'closed', message: problem } };
}

/** Forgets how a person signed in to a server, and lets go of it; the next connection asks again. */
async function signOut(servers: ServerService, values: ValueStore, { definition }: ServerView): Promise<void> {
  const { name, transport } = definition;
  if (transport.type === 'http' && (await SignIn.forget(values, transport.url))) {
    await servers.disconnect(definition.id);
    vscode.window.setStatusBarMessage(vscode.l10n.t('Signed out of {0}', name), 5000);
  } else {
    void vscode.window.showInformationMessage(vscode.l10n.t('You are not signed in to {0}.', name));
  }
}

export {
  CrashSupervisor,
  explain,
  explainLoop,
  prepareDefinition,
  previewDefinition,
  SignIn,
  serverRequestHandlers,
  setSecret,
  signOut,
  traceMeta,
  watchDefinitions,
  watchSources,
};
