import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import process from 'node:process';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { readConfig } from '../../core/passthrough/config/configFile.ts';
import { readJournal } from '../../core/passthrough/config/journal.ts';
import { installLauncher, isInstalledFrom } from '../../core/passthrough/config/launcher.ts';
import { stateFolder } from '../../core/passthrough/config/stateFolder.ts';
import { findTaps } from '../../core/passthrough/config/unwrap.ts';
import type { ServerDefinition } from '../../protocol/definition.ts';
import { readSetting } from '../manifest.ts';
import { showUserError, userErrors } from '../userError.ts';
import { HttpListeners } from './httpListeners.ts';
import { offerToAgent } from './offerToAgent.ts';
import { removeAll, removeOne } from './removeTaps.ts';
import { findRuntimes } from './runtimes.ts';
import { tapEntry } from './tapEntry.ts';
import type { TapServiceOptions } from './tapService.ts';

// Its own bundle, loaded when something is tapped, or VS Code asks what its agent is offered.

const { t } = vscode.l10n;

/** Of RFC 863, where no MCP server is. */
const DISCARD_PORT = 9;

type Offered = vscode.McpStdioServerDefinition | vscode.McpHttpServerDefinition;

/** All that is done about taps, as opposed to seen. */
export class LateTaps implements Disposable {
  readonly listeners: HttpListeners;
  private readonly store = new DisposableStore();
  private readonly options: TapServiceOptions;
  private isFollowing = false;
  private offeredBefore = '';
  private readonly token = randomBytes(32).toString('base64url');

  constructor(options: TapServiceOptions) {
    this.options = options;
    this.listeners = this.store.add(new HttpListeners(options.extensionFolder, options.clock));
  }

  /** The file that taps of this workspace record in; tells a person when there is none. */
  logFile(): string | undefined {
    const { status } = this.options.recording.log;
    if (status.kind === 'memory') {
      void showUserError(userErrors.notTapped(t('Nothing can be recorded: the log of this workspace is in memory.')));
      return undefined;
    }
    return status.path;
  }

  /** `faultline.tapServer` */
  async tap(): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      void showUserError(userErrors.untrusted(), 'warning');
      return;
    }
    const log = this.logFile();
    if (log !== undefined) {
      const { servers, extensionFolder } = this.options;
      await servers.loaded;
      if (await tapEntry({ definitions: servers.definitions(), extensionFolder, log })) {
        await this.listenForTapped();
      }
    }
  }

  /** `faultline.removeTap` */
  async remove(): Promise<void> {
    await removeOne(this.configurations());
    await this.listenForTapped();
  }

  /** `faultline.removeAllTaps` */
  async removeAll(): Promise<void> {
    await removeAll(this.configurations());
    await this.listenForTapped();
  }

  /** `faultline.offerTapped` */
  async offer(): Promise<void> {
    await this.options.servers.loaded;
    await offerToAgent(this.candidates());
  }

  /** Listens where clients of this workspace's taps expect it, and nowhere else. */
  async listenForTapped(): Promise<void> {
    const wanted = new Set(this.listeners.keys().filter((key) => key.startsWith('agent:')));
    for (const { id, file, name, http, log } of await readJournal(stateFolder())) {
      if (http === undefined || !vscode.workspace.isTrusted || !this.isOurLog(log)) {
        continue;
      }
      const read = await readConfig(file);
      const standing = 'kind' in read ? undefined : findTaps(read.text).find((tap) => tap.id === id)?.http;
      if (standing !== undefined) {
        wanted.add(id);
        void this.listeners.listen(id, { url: http.url, port: standing.port, log, server: name });
      }
    }
    this.listeners.keepOnly(wanted);
  }

  /** Brings the launcher up to date with the version that runs now, once after an update. */
  async refreshLauncher(): Promise<void> {
    const { extensionFolder } = this.options;
    const state = stateFolder();
    if (!(await isInstalledFrom(state, extensionFolder))) {
      const runtimes = await findRuntimes();
      await installLauncher({ state, platform: process.platform, extensionFolder, runtimes });
    }
  }

  /** What VS Code's agent is offered now; `onDidChange` is told when that is something else. Nothing in an untrusted workspace. */
  async offered(onDidChange: () => void): Promise<Offered[]> {
    await this.options.servers.loaded;
    this.follow(onDidChange);
    const offered = this.wanted();
    this.offeredBefore = JSON.stringify(offered);
    return offered.map((definition) => this.offerOf(withoutValues(definition)));
  }

  /** Asks whether it may be started and for what it needs, as for any start; `undefined` keeps VS Code from it. */
  async resolveOffered(server: Offered): Promise<Offered | undefined> {
    const { servers } = this.options;
    const definition = this.wanted().find(({ name }) => labelOf(name) === server.label);
    const log = this.logFile();
    if (definition === undefined || log === undefined || !(await servers.allows([definition.id]))) {
      return undefined;
    }
    const ready = servers.readyDefinition(definition.id);
    if (ready === undefined || ready.transport.type === 'stdio') {
      return ready === undefined ? undefined : this.offerOf(ready);
    }
    const { url } = ready.transport;
    const listener = { url, port: 0, log, server: ready.name, token: this.token };
    const port = await this.listeners.listen(`agent:${ready.id}`, listener);
    if (port === undefined) {
      void showUserError(userErrors.notTapped(t('The tap of {0} does not listen.', ready.name)));
      return undefined;
    }
    return this.offerOf(ready, port);
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Servers that could be offered: VS Code has its own entry for them, or none. */
  private candidates(): readonly ServerDefinition[] {
    return this.options.servers.definitions().filter(({ source }) => source.kind !== 'demo');
  }

  private wanted(): readonly ServerDefinition[] {
    const names = readSetting('tap.offerToAgent');
    const isWanted = ({ name }: ServerDefinition) => names.includes('*') || names.includes(name);
    const byName = new Map(
      this.candidates()
        .filter(isWanted)
        .map((definition) => [definition.name, definition]),
    );
    return vscode.workspace.isTrusted ? [...byName.values()] : [];
  }

  private follow(onDidChange: () => void): void {
    if (this.isFollowing) {
      return;
    }
    this.isFollowing = true;
    const look = () => {
      if (JSON.stringify(this.wanted()) !== this.offeredBefore) {
        onDidChange();
      }
    };
    this.store.add(this.options.servers.onDidChange(look));
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(look));
  }

  /** `port`: where its tap listens; before that is known, an address where nobody does. */
  private offerOf({ name, transport }: ServerDefinition, port?: number): Offered {
    const version = createHash('sha256').update(JSON.stringify(transport)).digest('hex');
    if (transport.type === 'http') {
      const { pathname, search } = new URL(URL.canParse(transport.url) ? transport.url : 'http://unresolved/');
      const uri = vscode.Uri.parse(`http://127.0.0.1:${port ?? DISCARD_PORT}${pathname}${search}`, true);
      const token: Record<string, string> = port === undefined ? {} : { 'Faultline-Token': this.token };
      const headers = { ...transport.headers, ...token };
      return new vscode.McpHttpServerDefinition(labelOf(name), uri, headers, version);
    }
    const { command, args, env, cwd } = transport;
    const log = this.options.recording.log.status;
    const where = log.kind === 'file' ? ['--log', log.path] : [];
    const script = path.join(this.options.extensionFolder, 'dist', 'tap-entry.js');
    const words = [script, ...where, '--server', name, '--', command, ...args];
    const offered = new vscode.McpStdioServerDefinition(
      labelOf(name),
      process.execPath,
      words,
      { ...env, ELECTRON_RUN_AS_NODE: '1' },
      version,
    );
    if (cwd !== undefined) {
      offered.cwd = vscode.Uri.file(cwd);
    }
    return offered;
  }

  private isOurLog(file: string): boolean {
    const { status } = this.options.recording.log;
    return status.kind === 'file' && status.path === file;
  }

  private configurations(): readonly string[] {
    return [...new Set(this.options.servers.definitions().flatMap(({ source }) => source.path ?? []))];
  }
}

/** Beside VS Code's own entry of the same server. */
function labelOf(name: string): string {
  return t('{0} (tapped)', name);
}

/** VS Code keeps on disk what it was offered, and asks for the rest when it starts the server. */
function withoutValues(definition: ServerDefinition): ServerDefinition {
  const { transport } = definition;
  return {
    ...definition,
    transport: transport.type === 'http' ? { ...transport, headers: {} } : { ...transport, env: {} },
  };
}
