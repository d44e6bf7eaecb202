import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { FaultSource } from '../../core/passthrough/faults/faultSource.ts';
import type { CommandId } from '../contributions.ts';
import { setContextKey } from '../manifest.ts';

const { t } = vscode.l10n;

/** Faults that are being injected into the calls of this window. */
export interface ActiveFaults {
  /** Of the profile or the file. */
  readonly name: string;
  /** Names of the servers, for a person. */
  readonly servers: readonly string[];
  readonly source: FaultSource & { turnOff(): void };
}

/**
 * Whether faults are injected, and the signs of it: nobody is to take them for the servers' own failures. Nothing of it is
 * kept: a window that starts injects nothing.
 */
export class FaultGate implements Disposable {
  private readonly store = new DisposableStore();
  private readonly emitter = this.store.add(new Emitter<void>());
  /** Injecting began or ended. */
  readonly onDidChange = this.emitter.event;
  private active: ActiveFaults | undefined;
  private item: vscode.StatusBarItem | undefined;

  constructor() {
    this.store.defer(() => this.item?.dispose());
  }

  /** What wires are made with; `undefined` while nothing is injected. */
  get source(): FaultSource | undefined {
    return this.active?.source;
  }

  /** What is going on, in one sentence; `undefined` while nothing is. */
  get banner(): string | undefined {
    return this.active === undefined
      ? undefined
      : t('Faultline is injecting faults on purpose: {0} into {1}', this.active.name, this.active.servers.join(', '));
  }

  start(faults: ActiveFaults): void {
    this.active?.source.turnOff();
    this.set(faults);
  }

  /** At once, on open connections too. */
  stop(): void {
    this.active?.source.turnOff();
    this.set(undefined);
  }

  dispose(): void {
    this.active?.source.turnOff();
    this.store.dispose();
  }

  private set(faults: ActiveFaults | undefined): void {
    this.active = faults;
    setContextKey('faultline.isInjecting', faults !== undefined);
    this.item?.dispose();
    this.item = undefined;
    if (faults !== undefined) {
      const item = vscode.window.createStatusBarItem('faultline.faults', vscode.StatusBarAlignment.Left, 11);
      item.name = t('Faultline: injected faults');
      item.text = t('$(beaker) Injecting faults: {0}', faults.name);
      item.tooltip = `${this.banner ?? ''}\n${t('Click to stop.')}`;
      item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
      item.command = 'faultline.stopFaults' satisfies CommandId;
      item.show();
      this.item = item;
    }
    this.emitter.fire();
  }
}
