import * as vscode from 'vscode';
import type { ServerId } from '../../protocol/events.ts';
import type { Services } from '../services.ts';
import { isNamedTool } from '../targets.ts';
import type { WantedTool } from './toolSource.ts';

const { t } = vscode.l10n;

type Surroundings = Pick<Services, 'surfaces' | 'servers'>;

/**
 * The tool that a command is about: a row of the timeline by its key, a tool's name, a node of either view, or, from the
 * palette, the selected row; a pick of `known` tools where none of that names one.
 */
export async function wantedTool(
  services: Surroundings,
  target: unknown,
  known: () => readonly string[],
): Promise<WantedTool | undefined> {
  if (typeof target === 'string') {
    return { name: target, launch: [] };
  }
  if (isToolNode(target)) {
    return { name: target.tool.name, launch: services.servers.launchOf(target.view.definition.id as ServerId) };
  }
  if (isNamedTool(target)) {
    const { server } = target;
    return { name: target.toolName, launch: server === undefined ? [] : services.servers.launchOf(server as ServerId) };
  }
  const { recording, key } = services.surfaces.current;
  const row = typeof target === 'number' ? target : key;
  const found = row === undefined ? undefined : recording.timeline.row(row);
  if (found?.method === 'tools/call' && found.target !== undefined) {
    return { name: found.target, launch: services.servers.launchOf(found.server as ServerId) };
  }
  const name = await vscode.window.showQuickPick(known(), { placeHolder: t('Go to the source of which tool?') });
  return name === undefined ? undefined : { name, launch: [] };
}

interface ToolNode {
  readonly view: { readonly definition: { readonly id: string } };
  readonly tool: { readonly name: string };
}

function isToolNode(target: unknown): target is ToolNode {
  return typeof target === 'object' && target !== null && 'kind' in target && target.kind === 'tool';
}
