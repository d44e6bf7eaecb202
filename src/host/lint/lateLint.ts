import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { ServerId } from '../../protocol/events.ts';
import { registerToolLenses } from '../codeLens/toolLenses.ts';
import { VIEWS } from '../contributions.ts';
import { agentFindings } from '../findings/agentFindings.ts';
import { callerFindings } from '../findings/callerFindings.ts';
import type { FindingNode } from '../findings/findingNodes.ts';
import { lintFindings } from '../findings/lintFindings.ts';
import { serverFindings } from '../findings/serverFindings.ts';
import { wireFindings } from '../findings/wireFindings.ts';
import { plainVoice } from '../report/reportVoice.ts';
import { registerCodeActions } from './codeActions.ts';
import { ConfigFiles } from './configFiles.ts';
import { EngineHost } from './engineHost.ts';
import { FindingStore, type LintedFile } from './findingStore.ts';
import { previewSafeFixes } from './fixAll.ts';
import { registerHovers } from './hovers.ts';
import type { LintParts } from './lintGate.ts';
import { LintService } from './lintService.ts';
import { silentSources } from './silentSources.ts';
import { goToToolSource } from './toolSource.ts';
import { wantedTool } from './wantedTool.ts';
import { WireEvidence } from './wireEvidence.ts';
import { WorkspaceLint } from './workspaceLint.ts';

// Its own bundle, loaded with the first document that may hold a server or the first command: activation needs none of it.

/** Everything that the lint shows and does. */
export interface Lint extends Disposable {
  /** What the Findings view shows. */
  readonly findings: { readonly onDidChange: Event<void>; nodes(): readonly FindingNode[] };
  lintWorkspace(): Promise<void>;
  fixAllSafe(): Promise<void>;
  /** Where these tools fail silently, by their names; see `silentSources`. */
  sourcesOf(names: ReadonlySet<string>): ReturnType<typeof silentSources>;
  /** What the whole workspace holds, which is linted first unless it is followed already. */
  workspaceFindings(): Promise<{ readonly files: readonly LintedFile[]; readonly isComplete: boolean }>;
  /** `target`: what the command was given, see `wantedTool`. */
  goToToolSource(services: Parameters<typeof wantedTool>[0], target: unknown): Promise<void>;
}

/** Starts linting the open documents. */
export function createLint({ extensionUri, clock, recording, servers, stats, definitions }: LintParts): Lint {
  const store = new DisposableStore();
  const evidence = store.add(new WireEvidence(recording.silentTools, clock));
  const findings = store.add(new FindingStore(evidence));
  const configs = store.add(new ConfigFiles());
  const engine = store.add(new EngineHost(extensionUri, configs));
  const workspace = store.add(new WorkspaceLint(engine, findings));
  const documents = store.add(new LintService(engine, findings, clock, (uri) => void workspace.closed(uri)));
  store.add(registerCodeActions(findings, evidence));
  store.add(registerHovers(findings, evidence));
  store.add(
    registerToolLenses({
      findings,
      stats,
      servers: () => definitions.definitions().map(({ id }) => id),
      launchOf: (server) => definitions.launchOf(server as ServerId),
    }),
  );
  const lintAgain = () => {
    documents.lintOpenDocuments();
    void workspace.again();
  };
  store.add(configs.onDidChange(lintAgain));
  store.add(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('faultline.lint')) {
        lintAgain();
      }
    }),
  );
  const sources = [
    store.add(
      serverFindings(
        [wireFindings(recording.silentTools, evidence), callerFindings(recording, evidence, clock)],
        servers,
      ),
    ),
    store.add(agentFindings(recording, plainVoice(servers), clock)),
    store.add(lintFindings(findings, evidence)),
  ];
  const changed = store.add(new Emitter<void>());
  for (const source of sources) {
    store.add(source.onDidChange(() => changed.fire()));
  }
  // Evidence is in what was recorded before too. That it cannot be read, the timeline says.
  recording.load().catch(() => undefined);

  return {
    findings: { onDidChange: changed.event, nodes: () => sources.flatMap((source) => source.nodes()) },
    lintWorkspace: async () => {
      const { files, isComplete } = await workspace.run('lint');
      if (isComplete) {
        const count = findings.all().reduce((sum, file) => sum + (file.isIndexOnly ? 0 : file.findings.length), 0);
        vscode.window.setStatusBarMessage(vscode.l10n.t('Faultline: {0} findings in {1} files', count, files), 10_000);
        await vscode.commands.executeCommand(`${VIEWS.findings}.focus`);
      }
    },
    fixAllSafe: async () => {
      const isKnown = workspace.isFollowing || (await workspace.run('lint')).isComplete;
      if (isKnown) {
        await previewSafeFixes(findings);
      }
    },
    sourcesOf: (names) => silentSources(names, findings, workspace),
    workspaceFindings: async () => {
      const isComplete = workspace.isFollowing || (await workspace.run('lint')).isComplete;
      return { files: findings.all().filter((file) => !file.isIndexOnly), isComplete };
    },
    goToToolSource: async (services, target) => {
      const names = () => [...new Set(findings.all().flatMap(({ tools }) => tools.map(({ name }) => name)))].sort();
      const tool = await wantedTool(services, target, names);
      if (tool !== undefined) {
        await goToToolSource(tool, findings, workspace);
      }
    },
    dispose: () => store.dispose(),
  };
}
