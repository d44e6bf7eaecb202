import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ToolDefinition } from '../../lint/toolDefinitions.ts';
import type { FindingStore, LintedFile } from '../lint/findingStore.ts';
import { lintSelector } from '../lint/selector.ts';
import { readSetting } from '../manifest.ts';
import { rangeOf } from '../ranges.ts';
import { callsText, failureTexts, p95Texts } from '../servers/tallyText.ts';
import type { ToolStats } from '../servers/toolStats.ts';
import type { NamedTool } from '../targets.ts';
import { type LensTally, lensTally } from './lensTally.ts';

const { t } = vscode.l10n;

export interface LensParts {
  readonly findings: FindingStore;
  readonly stats: ToolStats;
  /** Ids of the servers that are defined. */
  readonly servers: () => readonly string[];
  /** The words that start a server; none of a remote one. */
  readonly launchOf: (server: string) => readonly string[];
}

/** Shows over each tool's definition what became of its calls, with what can be done: call it, show its rows. */
export function registerToolLenses({ findings, stats, servers, launchOf }: LensParts): Disposable {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  store.add(stats.onDidChange(() => changed.fire()));
  store.add(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('faultline.codeLens')) {
        changed.fire();
      }
    }),
  );
  store.add(
    vscode.languages.registerCodeLensProvider(lintSelector, {
      onDidChangeCodeLenses: changed.event,
      provideCodeLenses: async (document, token) => {
        if (!readSetting('codeLens.enabled', document.uri)) {
          return [];
        }
        const file = await whenLinted(document, findings, token);
        const tallies = stats.all();
        const known = servers();
        return (file?.tools ?? []).flatMap((tool) =>
          lensesOf(tool, lensTally(tool.name, document.uri.path, tallies, known, launchOf)),
        );
      },
    }),
  );
  return store;
}

/** What the lint said of the document as it is now: it is on its way after each change. */
function whenLinted(
  document: vscode.TextDocument,
  findings: FindingStore,
  token: vscode.CancellationToken,
): Promise<LintedFile | undefined> {
  const known = () => {
    const file = findings.get(document.uri);
    return file?.version === document.version ? file : undefined;
  };
  const now = known();
  if (now !== undefined || token.isCancellationRequested) {
    return Promise.resolve(now);
  }
  return new Promise((resolve) => {
    const waiting = new DisposableStore();
    const end = (file: LintedFile | undefined) => {
      waiting.dispose();
      resolve(file);
    };
    waiting.add(token.onCancellationRequested(() => end(undefined)));
    waiting.add(
      findings.onDidChange(() => {
        const file = known();
        if (file !== undefined) {
          end(file);
        }
      }),
    );
  });
}

function lensesOf({ name, range }: ToolDefinition, { server, tally }: LensTally): vscode.CodeLens[] {
  const at = rangeOf(range);
  const target: NamedTool = { toolName: name, ...(server === undefined ? {} : { server }) };
  const call = new vscode.CodeLens(at, {
    title: t('Call…'),
    tooltip: t('Call this tool with arguments of your own'),
    command: 'faultline.callTool',
    arguments: [target],
  });
  if (tally === undefined) {
    return [new vscode.CodeLens(at, { title: t('not called yet'), command: '' }), call];
  }
  const { lastFailure } = tally;
  const title = [callsText(tally.calls), ...failureTexts(tally), ...p95Texts(tally)].join(', ');
  const show = { command: 'faultline.showInTimeline', arguments: [target] };
  const first =
    lastFailure === undefined
      ? { title, ...show }
      : {
          title,
          tooltip: t('Show the newest failure in the timeline'),
          command: 'faultline.openTimeline',
          arguments: [lastFailure],
        };
  return [new vscode.CodeLens(at, first), call, new vscode.CodeLens(at, { title: t('Show'), ...show })];
}
