import * as vscode from 'vscode';
import type { ToolInfo } from '../../core/client/tools.ts';
import type { JsonObject } from '../../protocol/jsonrpc.ts';
import type { Services } from '../services.ts';
import { outcomeNames } from '../timeline/pageStrings.ts';
import { messageOf, showUserError, userErrors } from '../userError.ts';
import { isServerNode, pickServer } from './pickServer.ts';

const { t } = vscode.l10n;

/** Asks for a tool and its arguments, calls it, and shows the outcome on the timeline. */
export async function callTool({ servers, surfaces }: Services, target: unknown): Promise<void> {
  const view = await pickServer(servers, target, t('Call a tool of which server?'));
  if (view === undefined || (await servers.connect(view.definition.id)) === undefined) {
    return;
  }
  const tool =
    isServerNode(target) && target.kind === 'tool'
      ? target.tool
      : await pickTool(servers.view(view.definition.id)?.tools ?? []);
  const args = tool === undefined ? undefined : await askArguments(tool);
  if (tool === undefined || args === undefined) {
    return;
  }
  const pool = await servers.openPool();
  await surfaces.openView();
  const outcome = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, cancellable: true, title: t('Calling {0}', tool.name) },
    (_progress, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      return pool.call(
        {
          server: view.definition.id,
          method: 'tools/call',
          params: { name: tool.name, arguments: args },
          origin: 'client',
        },
        { signal: controller.signal },
      );
    },
  );
  vscode.window.setStatusBarMessage(`${tool.name}: ${outcomeNames[outcome.kind]}`, 5000);
}

async function pickTool(tools: readonly ToolInfo[]): Promise<ToolInfo | undefined> {
  const chosen = await vscode.window.showQuickPick(
    tools.map((tool) => ({
      label: tool.name,
      description: tool.title ?? '',
      detail: firstLine(tool.description),
      tool,
    })),
    { placeHolder: t('Which tool?'), matchOnDetail: true },
  );
  return chosen?.tool;
}

async function askArguments(tool: ToolInfo): Promise<JsonObject | undefined> {
  const text = await vscode.window.showInputBox({
    title: tool.name,
    prompt: t('Arguments as a JSON object'),
    value: JSON.stringify(exampleOf(tool.inputSchema)),
    ignoreFocusOut: true,
    validateInput: (value) => problemOf(value),
  });
  if (text === undefined) {
    return undefined;
  }
  const problem = problemOf(text);
  if (problem !== undefined) {
    await showUserError(userErrors.badArguments(problem));
    return undefined;
  }
  return JSON.parse(text) as JsonObject;
}

/** What keeps a text from being tool arguments; `undefined` when nothing does. */
function problemOf(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? undefined
      : t('a JSON object is needed');
  } catch (error) {
    return messageOf(error);
  }
}

/** The required properties of a schema with an empty value of their type, for a person to fill in. */
function exampleOf(schema: unknown): Record<string, unknown> {
  const { properties, required } = (schema ?? {}) as { properties?: Record<string, unknown>; required?: unknown };
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  return Object.fromEntries(names.map((name) => [name, emptyOf(properties?.[name])]));
}

function emptyOf(schema: unknown): unknown {
  switch ((schema as { type?: unknown } | undefined)?.type) {
    case 'number':
    case 'integer':
      return 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return '';
  }
}

function firstLine(text: string | undefined): string {
  return text?.split('\n', 1)[0] ?? '';
}
