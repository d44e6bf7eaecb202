import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { readSetting } from '../manifest.ts';
import type { Recording } from '../recording.ts';
import type { ServerService } from '../servers/serverService.ts';
import type { LateTaps } from './lateTaps.ts';
import { TappedServers } from './tappedServers.ts';

/** The id of `contributes.mcpServerDefinitionProviders`. */
const PROVIDER = 'faultline.taps';

export interface TapServiceOptions {
  readonly extensionFolder: string;
  readonly recording: Recording;
  readonly servers: ServerService;
  readonly clock: Clock;
}

/**
 * What other clients do through taps: who was seen, what VS Code's own agent is offered, and the listeners of remote servers.
 * All but the first is in a bundle of its own.
 */
export class TapService implements Disposable {
  readonly seen: TappedServers;
  private readonly store = new DisposableStore();
  private readonly options: TapServiceOptions;
  private loading: Promise<LateTaps> | undefined;

  constructor(options: TapServiceOptions) {
    this.options = options;
    this.seen = this.store.add(new TappedServers(options.recording.onWillProject));
    const changed = this.store.add(new vscode.EventEmitter<void>());
    // VS Code asks at once, and does not see what is registered only later.
    this.store.add(
      vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, {
        onDidChangeMcpServerDefinitions: changed.event,
        // It is asked at every start: as long as nothing is to be offered, nothing is loaded for it.
        provideMcpServerDefinitions: async () =>
          readSetting('tap.offerToAgent').length === 0 ? [] : (await this.load()).offered(() => changed.fire()),
        resolveMcpServerDefinition: async (server) => (await this.load()).resolveOffered(server),
      }),
    );
    this.store.add(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('faultline.tap')) {
          changed.fire();
        }
      }),
    );
  }

  /** The rest of it. */
  load(): Promise<LateTaps> {
    this.loading ??= import('./lateTaps.ts').then(({ LateTaps }) => this.store.add(new LateTaps(this.options)));
    return this.loading;
  }

  /** Listens for the remote servers that were tapped from this workspace, if any. In a turn of its own, after activation. */
  async resume(): Promise<void> {
    await this.options.clock.sleep(0);
    const { hasTaps } = await import('./hasTaps.ts');
    if (!this.store.isDisposed && (await hasTaps())) {
      const late = await this.load();
      await late.refreshLauncher();
      await late.listenForTapped();
    }
  }

  dispose(): void {
    this.store.dispose();
  }
}
