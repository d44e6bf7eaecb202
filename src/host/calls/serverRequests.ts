import * as vscode from 'vscode';
import type { ServerRequestAnswer, ServerRequestHandlers } from '../../core/client/serverRequests.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';
import { fillForm } from './fillForm.ts';
import { completion, elicitationOf, questionOf } from './requestTexts.ts';
import { formOf } from './schemaForm.ts';
import { askToVisit } from './visit.ts';

const { t } = vscode.l10n;

/** What the specification's example says of a user who rejects sampling. */
const REJECTED = { kind: 'error', code: -1, message: 'User rejected sampling request' } as const;

/** Several servers may ask at once; a person answers one after the other. */
let turn: Promise<unknown> = Promise.resolve();

/** Lets the person in front of the window answer what this server asks for. */
export function serverRequestHandlers(name: string): ServerRequestHandlers {
  return {
    sampling: (params, signal) => inTurn(signal, REJECTED, () => sample(name, params)),
    elicitation: (params, signal) => inTurn(signal, answer('cancel'), () => elicit(name, params)),
  };
}

/** Waits until nobody else asks; a question that was taken back meanwhile is not asked. */
function inTurn(
  signal: AbortSignal,
  late: ServerRequestAnswer,
  ask: () => Promise<ServerRequestAnswer>,
): Promise<ServerRequestAnswer> {
  const asked = turn.then(() => (signal.aborted ? late : ask())).catch(() => late);
  turn = asked;
  return asked;
}

async function sample(name: string, params: JsonObject): Promise<ServerRequestAnswer> {
  const reply = t('Answer…');
  const chosen = await vscode.window.showInformationMessage(
    t('The MCP server "{0}" asks for a completion.', name),
    { modal: true, detail: questionOf(params) },
    reply,
    t('Decline'),
  );
  const text =
    chosen === reply
      ? await vscode.window.showInputBox({
          title: name,
          prompt: t('What the model would say'),
          ignoreFocusOut: true,
        })
      : undefined;
  return text === undefined ? REJECTED : { kind: 'result', result: completion(text) };
}

async function elicit(name: string, params: JsonObject): Promise<ServerRequestAnswer> {
  const request = elicitationOf(params);
  switch (request.kind) {
    case 'form':
      return elicitForm(name, request.message, request.schema);
    case 'url':
      return elicitVisit(name, request.message, request.url);
    case 'unfit':
      return answer('decline');
  }
}

async function elicitForm(name: string, message: string, schema: JsonValue | undefined): Promise<ServerRequestAnswer> {
  const reply = t('Answer…');
  const decline = t('Decline');
  const chosen = await vscode.window.showInformationMessage(
    t('The MCP server "{0}" asks you something.', name),
    { modal: true, detail: `${message}\n\n${t('Do not enter passwords that the server need not know.')}` },
    reply,
    decline,
  );
  if (chosen !== reply) {
    return answer(chosen === decline ? 'decline' : 'cancel');
  }
  const content = await fillForm({ title: name, form: formOf(schema), initial: {}, send: t('Answer {0}', name) });
  return content === undefined ? answer('cancel') : answer('accept', content);
}

async function elicitVisit(name: string, message: string, url: URL): Promise<ServerRequestAnswer> {
  switch (await askToVisit(name, message, url)) {
    case 'opened':
      return answer('accept');
    case 'declined':
      return answer('decline');
    case 'dismissed':
      return answer('cancel');
  }
}

function answer(action: 'accept' | 'decline' | 'cancel', content?: JsonObject): ServerRequestAnswer {
  return { kind: 'result', result: content === undefined ? { action } : { action, content } };
}
