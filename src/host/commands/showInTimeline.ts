import * as vscode from 'vscode';
import { filterTerm } from '../../core/timeline/filter/quote.ts';
import type { Services } from '../services.ts';
import { isNamedTool } from '../targets.ts';
import { showUserError, userErrors } from '../userError.ts';
import { isServerNode, isTapNode } from './pickServer.ts';

const { t } = vscode.l10n;

/** Whose rows are wanted: of a server, of a tool, or of a tool of one server. */
interface Wanted {
  readonly server?: string;
  readonly tool?: string;
}

/** Shows the rows of a server or tool alone: of a node of our views or a lens, else of the one that a person picks. */
export async function showInTimeline(
  services: Pick<Services, 'servers' | 'stats' | 'surfaces' | 'recording'>,
  target: unknown,
): Promise<void> {
  const wanted = wantedOf(target) ?? (await pick(services));
  if (wanted !== undefined) {
    const { server, tool } = wanted;
    const terms = [
      ...(server === undefined ? [] : [filterTerm('server', [services.surfaces.own.nameOf(server)])]),
      ...(tool === undefined ? [] : [filterTerm('tool', [tool])]),
    ];
    await services.surfaces.showFiltered({ hiddenOutcomes: [], text: terms.join(' ') });
  }
}

function wantedOf(target: unknown): Wanted | undefined {
  if (isTapNode(target)) {
    return { server: target.tap.server };
  }
  if (isServerNode(target)) {
    const server = target.view.definition.id;
    return target.kind === 'tool' ? { server, tool: target.tool.name } : { server };
  }
  return isNamedTool(target)
    ? { tool: target.toolName, ...(target.server === undefined ? {} : { server: target.server }) }
    : undefined;
}

async function pick(
  services: Pick<Services, 'servers' | 'stats' | 'surfaces' | 'recording'>,
): Promise<Wanted | undefined> {
  await services.recording.load();
  const tallies = services.stats.all();
  const servers = [
    ...new Set([...services.servers.definitions().map(({ id }) => id), ...tallies.map((one) => one.server)]),
  ];
  const items = [
    ...servers.map((server) => ({
      label: `$(server) ${services.surfaces.own.nameOf(server)}`,
      description: '',
      wanted: { server },
    })),
    ...tallies.map(({ server, tool }) => ({
      label: `$(tools) ${tool}`,
      description: services.surfaces.own.nameOf(server),
      wanted: { server, tool },
    })),
  ];
  if (items.length === 0) {
    await showUserError(userErrors.nothingRecorded(), 'warning');
    return undefined;
  }
  const placeHolder = t('Show the calls of which server or tool?');
  return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.wanted;
}
