import type * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { systemClock } from '../base/systemClock.ts';
import type { EventLog } from '../core/log/eventLog.ts';
import type { SessionId } from '../protocol/events.ts';
import { FaultGate } from './faults/faultGate.ts';
import { registerFindingsView } from './findings/findingsView.ts';
import { LintGate } from './lint/lintGate.ts';
import { followLogSettings, warnOfPatterns } from './logSettings.ts';
import { readSetting } from './manifest.ts';
import { OtlpGate } from './otlp/otlpGate.ts';
import { Recording, workspaceLog } from './recording.ts';
import { ReplayService } from './replay/replayService.ts';
import { serverFacts } from './servers/serverFacts.ts';
import { ServerService } from './servers/serverService.ts';
import { registerServersTree } from './servers/serversTree.ts';
import { registerStatusBar } from './servers/statusBar.ts';
import { ToolStats } from './servers/toolStats.ts';
import { TrustGate } from './servers/trust.ts';
import { ValueStore } from './servers/valueStore.ts';
import { SessionEditors } from './sessions/sessionEditors.ts';
import { SuiteGate } from './suites/suiteGate.ts';
import { TapService } from './taps/tapService.ts';
import { registerMessageDocuments } from './timeline/messageDocuments.ts';
import { TextDocuments } from './timeline/textDocuments.ts';
import { registerTimelineBadge } from './timeline/timelineBadge.ts';
import { TimelineSurfaces } from './timeline/timelineSurfaces.ts';
import { showUserError, userErrors } from './userError.ts';

/** Events of a connection that are looked at to say why it did not come up. */
const EVENTS_OF_START = 1000;

/** Everything that lives as long as the extension is active, made once and handed to the commands. */
export interface Services extends Disposable {
  readonly context: vscode.ExtensionContext;
  /** This run of the extension host, as the log calls it. */
  readonly session: SessionId;
  readonly recording: Recording;
  readonly values: ValueStore;
  readonly servers: ServerService;
  readonly surfaces: TimelineSurfaces;
  readonly stats: ToolStats;
  readonly texts: TextDocuments;
  readonly replays: ReplayService;
  readonly taps: TapService;
  readonly faults: FaultGate;
  readonly lint: LintGate;
  /** The way out to OpenTelemetry. */
  readonly otlp: OtlpGate;
  readonly suites: SuiteGate;
  /** Ends every server and writes what is waiting; the extension host gives a few seconds for it. */
  shutdown(): Promise<void>;
}

/** Wires the parts together. The order is the data's: log, servers, timeline, and the lint beside them. */
export function createServices(context: vscode.ExtensionContext): Services {
  const store = new DisposableStore();
  const clock = systemClock;
  const session = `${new Date().toISOString()}-${process.pid}` as SessionId;

  const folder = (context.storageUri ?? context.globalStorageUri).fsPath;
  const log = workspaceLog(folder, clock, (opened) => {
    void warnOnce(opened);
    void warnOfPatterns(opened);
  });
  const recording = store.add(new Recording(log, () => readSetting('agent.loopLimit')));
  store.add(followLogSettings(log));
  const values = new ValueStore(context);
  const faults = store.add(new FaultGate());
  const servers = new ServerService({
    faults: () => faults.source,
    sink: recording.log,
    session,
    clock,
    gate: new TrustGate(context.workspaceState),
    values,
    extensionId: context.extension.id,
    events: (connection) => recording.log.read({ connection, limit: EVENTS_OF_START }),
  });
  servers.watch();
  const taps = store.add(new TapService({ extensionFolder: context.extensionUri.fsPath, recording, servers, clock }));
  void taps.resume();
  const surfaces = store.add(
    new TimelineSurfaces(
      context.extensionUri,
      recording,
      { ...serverFacts(servers, recording, taps.seen), faults },
      clock,
      context.workspaceState,
    ),
  );
  const replays = store.add(new ReplayService());
  const sessions = store.add(new SessionEditors(context.extensionUri, surfaces, clock, context.workspaceState));
  store.add(registerMessageDocuments((file) => (file === '' ? recording.log : sessions.logOf(file))));
  const stats = store.add(new ToolStats(recording.timeline, clock));
  const texts = store.add(new TextDocuments());
  const tree = store.add(registerServersTree({ servers, stats, recording, seen: taps.seen, clock }));
  store.add(
    faults.onDidChange(() => {
      // An empty one takes no room.
      tree.view.message = faults.banner ?? '';
    }),
  );
  store.add(registerTimelineBadge(recording, surfaces, tree.view, context.workspaceState, clock));
  store.add(registerStatusBar(servers));
  const { extensionUri } = context;
  const lint = store.add(
    new LintGate({
      extensionUri,
      clock,
      recording,
      servers: serverFacts(servers, recording, taps.seen),
      stats,
      definitions: servers,
    }),
  );
  store.add(registerFindingsView(lint));
  const { version } = context.extension.packageJSON as { version: string };
  const otlp = store.add(new OtlpGate({ recording, session, values, version, extensionUri }));
  const suites = store.add(new SuiteGate({ context, clock, session, recording, servers, values }));

  return {
    context,
    session,
    recording,
    values,
    servers,
    surfaces,
    stats,
    texts,
    replays,
    taps,
    faults,
    lint,
    otlp,
    suites,
    shutdown: async () => {
      await servers.shutdown();
      recording.log.flush();
      await otlp.shutdown();
      store.dispose();
    },
    dispose: () => {
      servers.dispose();
      store.dispose();
    },
  };
}

/** A log that could not be opened is told once a session; the timeline's footer goes on saying it. */
async function warnOnce({ status }: EventLog): Promise<void> {
  if (status.kind === 'memory') {
    const { say } = await import('./say.ts');
    await showUserError(
      userErrors.logInMemory(say(`log.memory.${status.reason}`, { detail: status.detail })),
      'warning',
    );
  }
}
