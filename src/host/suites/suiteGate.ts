import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { SuiteServices } from './lateSuites.ts';

type LateSuites = typeof import('./lateSuites.ts');
type Tests = ReturnType<LateSuites['createSuiteTests']>;

/** Where suites are: not those that packages bring along. */
const PATTERN = '**/*.faultline-suite.json';
const EXCLUDED = '**/node_modules/**';
/** Looking through a large workspace can wait until the window stands, ms. */
const LOOK_AFTER_MS = 1500;

/** Brings suites into the Test Explorer; until the first suite is found, nothing but a watcher is there. */
export class SuiteGate implements Disposable {
  private readonly store = new DisposableStore();
  private readonly services: SuiteServices;
  private tests: Promise<Tests> | undefined;

  constructor(services: SuiteServices) {
    this.services = services;
    const watcher = this.store.add(vscode.workspace.createFileSystemWatcher(PATTERN));
    this.store.add(watcher.onDidCreate((uri) => void this.changed(uri)));
    this.store.add(watcher.onDidChange((uri) => void this.changed(uri)));
    this.store.add(watcher.onDidDelete((uri) => void this.tests?.then((tests) => tests.forget(uri))));
    this.store.add(services.clock.setTimer(LOOK_AFTER_MS, () => void this.look()));
    this.store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => void this.look()));
  }

  /** The tests, with every suite of the workspace known. */
  async load(): Promise<Tests> {
    const tests = await this.open();
    await tests.discover();
    return tests;
  }

  dispose(): void {
    this.store.dispose();
  }

  private async look(): Promise<void> {
    const [first] = await vscode.workspace.findFiles(PATTERN, EXCLUDED, 1);
    if (first !== undefined && !this.store.isDisposed) {
      await this.load();
    }
  }

  private async changed(uri: vscode.Uri): Promise<void> {
    if (!uri.path.includes('/node_modules/')) {
      await (await this.open()).read(uri);
    }
  }

  private open(): Promise<Tests> {
    this.tests ??= import('./lateSuites.ts').then(({ createSuiteTests }) => {
      const tests = createSuiteTests(this.services, { pattern: PATTERN, excluded: EXCLUDED });
      this.store.add(tests);
      return tests;
    });
    return this.tests;
  }
}
