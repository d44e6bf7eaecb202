import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { SessionId } from '../../protocol/events.ts';
import type { Recording } from '../recording.ts';
import type { ServerService } from '../servers/serverService.ts';
import type { ValueStore } from '../servers/valueStore.ts';
import { recordCasesAgain } from './recordCases.ts';
import { runCases } from './runCases.ts';
import { SuiteItems } from './suiteItems.ts';

// Its own bundle, loaded when the first suite is found.

const { t } = vscode.l10n;

/** What suites need of the extension. */
export interface SuiteServices {
  readonly context: vscode.ExtensionContext;
  readonly clock: Clock;
  readonly session: SessionId;
  readonly recording: Recording;
  readonly servers: ServerService;
  readonly values: ValueStore;
}

export interface SuiteTests extends Disposable {
  readonly controller: vscode.TestController;
  /** Finds every suite of the workspace. */
  discover(): Promise<void>;
  /** Reads one suite, or reads it again. */
  read(uri: vscode.Uri): Promise<void>;
  forget(uri: vscode.Uri): void;
  /**
   * Runs a case, or all of a suite, and lets what fails expect what came of it. What is no test item is as if none was
   * given: then a person picks a case.
   */
  recordAgain(item: unknown): Promise<void>;
}

/** The suites of the workspace as tests, with a run that says little and one that says all. */
export function createSuiteTests(
  services: SuiteServices,
  { pattern, excluded }: { readonly pattern: string; readonly excluded: string },
): SuiteTests {
  const store = new DisposableStore();
  const controller = store.add(vscode.tests.createTestController('faultline.suites', t('Faultline Suites')));
  const items = store.add(new SuiteItems(controller));
  const discover = async () => {
    const found = await vscode.workspace.findFiles(pattern, excluded);
    await Promise.all(found.map((uri) => items.read(uri)));
    items.keep(found);
  };
  const run = (isTelling: boolean) => (request: vscode.TestRunRequest, token: vscode.CancellationToken) =>
    runCases({ services, controller, items, request, token, isTelling });
  store.add(controller.createRunProfile(t('Run'), vscode.TestRunProfileKind.Run, run(false), true));
  store.add(controller.createRunProfile(t('Run and Show Exchanges'), vscode.TestRunProfileKind.Run, run(true), false));
  controller.resolveHandler = (item) => (item === undefined ? discover() : undefined);
  controller.refreshHandler = discover;
  return {
    controller,
    discover,
    read: (uri) => items.read(uri),
    forget: (uri) => items.forget(uri),
    recordAgain: (item) =>
      recordCasesAgain({ services, controller, items }, isItem(item) ? items.own(item.id) : undefined),
    dispose: () => store.dispose(),
  };
}

function isItem(value: unknown): value is { readonly id: string } {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';
}
