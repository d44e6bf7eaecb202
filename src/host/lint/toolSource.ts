import * as vscode from 'vscode';
import { rangeOf } from '../ranges.ts';
import { showUserError, userErrors } from '../userError.ts';
import type { FindingStore } from './findingStore.ts';
import { isLaunched } from './launchedFile.ts';
import type { WorkspaceLint } from './workspaceLint.ts';

const { t } = vscode.l10n;

/** Where a tool may be defined. */
interface Place {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
}

/** A tool that somebody wants to see, with the words of the command that starts its server, where that is known. */
export interface WantedTool {
  readonly name: string;
  readonly launch: readonly string[];
}

/** Opens the definition of a tool. The workspace is looked through for it when no file is known to define it. */
export async function goToToolSource(
  { name, launch }: WantedTool,
  findings: FindingStore,
  workspace: WorkspaceLint,
): Promise<void> {
  let places = placesOf(name, findings);
  if (places.length === 0) {
    const { isComplete } = await workspace.run('index');
    places = placesOf(name, findings);
    if (places.length === 0) {
      if (isComplete) {
        await showUserError(userErrors.toolNotFound(name), 'warning');
      }
      return;
    }
  }
  const started = places.filter(({ uri }) => launch.some((word) => isLaunched(word, uri.path)));
  const place = await choose(name, started.length > 0 ? started : places);
  if (place !== undefined) {
    await vscode.window.showTextDocument(place.uri, { selection: place.range });
  }
}

function placesOf(name: string, findings: FindingStore): readonly Place[] {
  return findings
    .all()
    .flatMap(({ uri, tools }) =>
      tools.filter((tool) => tool.name === name).map((tool) => ({ uri, range: rangeOf(tool.range) })),
    );
}

async function choose(name: string, places: readonly Place[]): Promise<Place | undefined> {
  if (places.length < 2) {
    return places[0];
  }
  const items = places.map((place) => ({
    label: vscode.workspace.asRelativePath(place.uri),
    description: t('line {0}', place.range.start.line + 1),
    place,
  }));
  const title = t('Several files define a tool “{0}”', name);
  return (await vscode.window.showQuickPick(items, { title }))?.place;
}
