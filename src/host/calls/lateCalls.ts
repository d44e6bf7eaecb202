import * as vscode from 'vscode';
import { answerRounds } from '../../core/client/answerRounds.ts';
import type { CallOptions } from '../../core/client/pool.ts';
import type { ToolInfo } from '../../core/client/tools.ts';
import type { CallOutcome } from '../../protocol/call.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';
import { isServerNode, pickServer } from '../commands/pickServer.ts';
import { type ServerView, workspaceRoots } from '../servers/serverService.ts';
import type { ServerNode } from '../servers/serversTree.ts';
import type { Services } from '../services.ts';
import { isNamedTool } from '../targets.ts';
import { outcomeNames } from '../timeline/pageStrings.ts';
import { ArgumentDocuments } from './argumentDocuments.ts';
import { fillForm } from './fillForm.ts';
import { type Listed, listAll, promptArguments, resourceUri, templateFields } from './offers.ts';
import { RememberedArguments } from './remembered.ts';
import { exampleOf, formOf } from './schemaForm.ts';
import { serverRequestHandlers } from './serverRequests.ts';
import { visitBeforeCall } from './visit.ts';

// Its own bundle, loaded with the first call that a person makes.

const { t } = vscode.l10n;

let documents: ArgumentDocuments | undefined;

/** Asks for a tool and its arguments, calls it, and shows the outcome on the timeline. */
export async function callTool(services: Services, target: unknown): Promise<void> {
  const view = await connected(services, serverOf(services, target), t('Call a tool of which server?'));
  if (view === undefined) {
    return;
  }
  const tool =
    isServerNode(target) && target.kind === 'tool'
      ? target.tool
      : await toolNamed(await toolsOf(services, view), isNamedTool(target) ? target.toolName : undefined);
  if (tool === undefined) {
    return;
  }
  const remembered = new RememberedArguments(services.context.workspaceState);
  const subject = `${view.definition.id}/${tool.name}`;
  const initial = remembered.of(subject);
  const form = formOf(tool.inputSchema);
  const args = await fillForm({
    title: tool.name,
    form,
    initial: initial ?? (form.kind === 'document' ? exampleOf(tool.inputSchema) : {}),
    send: t('Call {0}', tool.name),
    asDocument: (values) => documentsOf(services).edit(tool.name, tool.inputSchema, values),
  });
  if (args === undefined) {
    return;
  }
  await remembered.remember(subject, args);
  await run(services, view, 'tools/call', { name: tool.name, arguments: args }, tool.name);
}

/** Asks for a resource, or a template of some with its variables, and reads it. */
export async function readResource(services: Services, target: unknown): Promise<void> {
  const view = await connected(services, target, t('Read a resource of which server?'));
  if (view === undefined) {
    return;
  }
  const ask = asker(services, view);
  const [resources, templates] = await Promise.all([
    listAll(ask, 'resources/list', 'resources'),
    listAll(ask, 'resources/templates/list', 'resourceTemplates'),
  ]);
  const chosen = await pickListed(
    [...resources, ...templates],
    t('Which resource?'),
    t('The server lists no resources.'),
  );
  if (chosen === undefined) {
    return;
  }
  const values = await fillForm({
    title: chosen.name,
    form: { kind: 'questions', fields: templateFields(chosen.uri) },
    initial: {},
    send: t('Read {0}', chosen.name),
  });
  if (values !== undefined) {
    await run(services, view, 'resources/read', { uri: resourceUri(chosen.uri, values) }, chosen.name);
  }
}

/** Asks for a prompt and its arguments, and gets it. */
export async function getPrompt(services: Services, target: unknown): Promise<void> {
  const view = await connected(services, target, t('Get a prompt of which server?'));
  if (view === undefined) {
    return;
  }
  const prompts = await listAll(asker(services, view), 'prompts/list', 'prompts');
  const chosen = await pickListed(prompts, t('Which prompt?'), t('The server lists no prompts.'));
  if (chosen === undefined) {
    return;
  }
  const remembered = new RememberedArguments(services.context.workspaceState);
  const subject = `${view.definition.id}#${chosen.name}`;
  const values = await fillForm({
    title: chosen.name,
    form: { kind: 'questions', fields: promptArguments(chosen.raw) },
    initial: remembered.of(subject) ?? {},
    send: t('Get {0}', chosen.name),
  });
  if (values !== undefined) {
    await remembered.remember(subject, values);
    await run(services, view, 'prompts/get', { name: chosen.name, arguments: values }, chosen.name);
  }
}

/** Opens arguments as a document that `schema` checks; gives what is sent, or `undefined` when it is cancelled. */
export function editArguments(
  services: Services,
  name: string,
  schema: JsonValue | undefined,
  values: JsonObject,
): Promise<JsonObject | undefined> {
  return documentsOf(services).edit(name, schema, values);
}

async function connected(services: Services, target: unknown, question: string): Promise<ServerView | undefined> {
  const { servers } = services;
  const view = await pickServer(servers, target, question);
  const state = view === undefined ? undefined : await servers.connect(view.definition.id);
  if (view === undefined || state === undefined) {
    return undefined;
  }
  if (state.kind === 'failed') {
    // The tree and the status bar say why; the timeline shows what was seen.
    await services.surfaces.openView();
    return undefined;
  }
  return servers.view(view.definition.id);
}

/** The tools once the catalogue has been read, which follows the handshake. */
async function toolsOf({ servers }: Services, { definition }: ServerView): Promise<readonly ToolInfo[]> {
  const isRead = () => {
    const state = servers.view(definition.id)?.state;
    return state?.kind !== 'running' || state.tools !== undefined;
  };
  if (!isRead()) {
    await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: t('Listing the tools of {0}', definition.name) },
      () =>
        new Promise<void>((resolve) => {
          const listening = servers.onDidChange(() => {
            if (isRead()) {
              listening.dispose();
              resolve();
            }
          });
        }),
    );
  }
  return servers.view(definition.id)?.tools ?? [];
}

/** The server that a lens or finding means: the one that it names, else the only one that lists such a tool. */
function serverOf({ servers }: Services, target: unknown): unknown {
  if (!isNamedTool(target)) {
    return target;
  }
  const { server, toolName } = target;
  const fitting = servers
    .views()
    .filter(({ definition, tools }) =>
      server === undefined ? tools.some(({ name }) => name === toolName) : definition.id === server,
    );
  const [view] = fitting;
  return fitting.length === 1 && view !== undefined ? ({ kind: 'server', view } satisfies ServerNode) : undefined;
}

/** The tool of this name; asks where there is none. */
function toolNamed(tools: readonly ToolInfo[], name: string | undefined): Promise<ToolInfo | undefined> {
  const found = name === undefined ? undefined : tools.find((tool) => tool.name === name);
  return found === undefined ? pickTool(tools) : Promise.resolve(found);
}

async function pickTool(tools: readonly ToolInfo[]): Promise<ToolInfo | undefined> {
  const chosen = await vscode.window.showQuickPick(
    tools.map((tool) => ({
      label: tool.name,
      description: tool.title ?? '',
      detail: tool.description?.split('\n', 1)[0] ?? '',
      tool,
    })),
    { placeHolder: t('Which tool?'), matchOnDetail: true },
  );
  return chosen?.tool;
}

async function pickListed(listed: readonly Listed[], placeHolder: string, none: string): Promise<Listed | undefined> {
  if (listed.length === 0) {
    void vscode.window.showInformationMessage(none);
    return undefined;
  }
  const chosen = await vscode.window.showQuickPick(
    listed.map((each) => ({ label: each.name, description: each.uri, detail: each.description, each })),
    { placeHolder, matchOnDescription: true, matchOnDetail: true },
  );
  return chosen?.each;
}

function asker({ servers }: Services, { definition }: ServerView) {
  return async (method: string, params: JsonObject) => {
    const pool = await servers.openPool();
    const { detail } = await pool.call({ server: definition.id, method, params, origin: 'client' });
    return detail.end.kind === 'result' ? detail.end.result : undefined;
  };
}

/** Makes the call with progress and cancel; its row on the timeline is the result. Again after a page that it needs first. */
async function run(
  services: Services,
  view: ServerView,
  method: string,
  params: JsonObject,
  name: string,
): Promise<void> {
  const { servers, surfaces } = services;
  const { definition } = view;
  const pool = await servers.openPool();
  await surfaces.openView();
  const outcome: CallOutcome = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, cancellable: true, title: t('Calling {0}', name) },
    (progress, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      let shown = 0;
      const { signal } = controller;
      const options: CallOptions & { signal: AbortSignal } = {
        signal,
        onProgress: ({ progress: done, total, message }) => {
          const percent = total === undefined || total <= 0 ? 0 : Math.min(100, (done / total) * 100);
          progress.report({
            increment: Math.max(0, percent - shown),
            message: message ?? (total === undefined ? String(done) : `${done}/${total}`),
          });
          shown = Math.max(shown, percent);
        },
      };
      // A person's own call is made however often it has failed: the loop guard is for those who do not look.
      const byHand = { ...options, isConfirmed: true };
      return pool.call({ server: definition.id, method, params, origin: 'client' }, byHand).then((begun) =>
        answerRounds(pool, begun, {
          handlers: serverRequestHandlers(definition.name),
          roots: workspaceRoots,
          options,
        }),
      );
    },
  );
  vscode.window.setStatusBarMessage(`${name}: ${outcomeNames[outcome.kind]}`, 5000);
  // Of a round, the pages were offered with it.
  const { end } = outcome.detail;
  if (end.kind === 'error' && (await visitBeforeCall(definition.name, name, end))) {
    await run(services, view, method, params, name);
  }
}

function documentsOf({ context }: Services): ArgumentDocuments {
  if (documents === undefined) {
    documents = new ArgumentDocuments();
    context.subscriptions.push(documents, new vscode.Disposable(() => (documents = undefined)));
  }
  return documents;
}
