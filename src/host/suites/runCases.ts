import * as vscode from 'vscode';
import { runSuite, type SuiteCaseResult } from '../../core/replay/suites/runSuite.ts';
import type { LogEvent } from '../../protocol/events.ts';
import { say } from '../say.ts';
import { showUserError, userErrors } from '../userError.ts';
import type { SuiteServices } from './lateSuites.ts';
import { serverIdOf, suiteServers } from './openSuiteServer.ts';
import type { CaseItem, SuiteItems } from './suiteItems.ts';
import { messagesOf, outputOf } from './suiteMessages.ts';

const { t } = vscode.l10n;

export interface RunOptions {
  readonly services: SuiteServices;
  readonly controller: vscode.TestController;
  readonly items: SuiteItems;
  readonly request: vscode.TestRunRequest;
  readonly token: vscode.CancellationToken;
  /** Shows the exchange of each case in the output. */
  readonly isTelling: boolean;
  readonly onResult?: (item: CaseItem, result: SuiteCaseResult) => void;
}

/** Runs the cases that a person chose, suite after suite, each against a server of its own. */
export async function runCases(options: RunOptions): Promise<void> {
  const { controller, items, request, token } = options;
  const run = controller.createTestRun(request);
  try {
    if (!vscode.workspace.isTrusted) {
      void showUserError(userErrors.untrusted(), 'warning');
      return;
    }
    const all = [...controller.items].map(([, item]) => item);
    const chosen = items.casesOf(request.include ?? all, request.exclude);
    for (const { item } of chosen) {
      run.enqueued(item);
    }
    for (const [, cases] of Map.groupBy(chosen, ({ uri }) => uri.toString())) {
      if (token.isCancellationRequested) {
        break;
      }
      await runOne(cases, run, options);
    }
  } finally {
    run.end();
  }
}

async function runOne(cases: readonly CaseItem[], run: vscode.TestRun, options: RunOptions): Promise<void> {
  const { services, items, token, isTelling, onResult } = options;
  const [first] = cases;
  const suite = first === undefined ? undefined : items.suiteAt(first.uri);
  if (first === undefined) {
    return;
  }
  if (suite === undefined) {
    for (const { item } of cases) {
      run.errored(item, new vscode.TestMessage(item.parent?.error ?? t('The suite cannot be read.')));
    }
    return;
  }
  const byIndex = new Map(cases.map((each) => [each.index, each]));
  const cancel = new AbortController();
  const cancelling = token.onCancellationRequested(() => cancel.abort());
  const rows = followRows(services, first.uri);
  const outcome = await runSuite({
    suite,
    clock: services.clock,
    open: suiteServers(suite, first.uri, services),
    signal: cancel.signal,
    isChosen: (_, index) => byIndex.has(index),
    onStart: (_, index) => {
      const started = byIndex.get(index);
      rows.forget();
      if (started !== undefined) {
        run.started(started.item);
      }
    },
    onResult: (result) => {
      const of = byIndex.get(result.index);
      if (of !== undefined) {
        tell(run, of, result, rows.last(), isTelling);
        onResult?.(of, result);
      }
    },
  });
  rows.dispose();
  cancelling.dispose();
  for (const { code, args } of outcome.problems) {
    run.appendOutput(`${t('After the last case: {0}', say(code, args))}\r\n`);
  }
}

function tell(
  run: vscode.TestRun,
  { item, uri }: CaseItem,
  result: SuiteCaseResult,
  row: number | undefined,
  isTelling: boolean,
): void {
  const at = item.range === undefined ? undefined : new vscode.Location(uri, item.range);
  run.appendOutput(outputOf(result, isTelling), at, item);
  const messages = messagesOf(result, row).map((message) => {
    if (at !== undefined) {
      message.location = at;
    }
    return message;
  });
  switch (result.status.kind) {
    case 'passed':
      run.passed(item, result.durationMs);
      return;
    case 'failed':
      run.failed(item, messages, result.durationMs);
      return;
    case 'refused':
    case 'error':
      run.errored(item, messages);
      return;
    case 'cancelled':
      run.skipped(item);
      return;
  }
}

/** Follows which row of the timeline the last request to a suite's server is: its key is the number of its event. */
function followRows({ recording }: SuiteServices, uri: vscode.Uri) {
  const server = serverIdOf(uri);
  let row: number | undefined;
  const isCall = ({ server: of, body }: LogEvent) =>
    of === server && body.kind === 'message' && body.direction === 'sent' && body.envelope.kind === 'request';
  const following = recording.log.onDidAppend((events) => {
    row = events.findLast(isCall)?.seq ?? row;
  });
  return {
    forget: () => {
      recording.log.flush();
      row = undefined;
    },
    last: () => {
      recording.log.flush();
      return row;
    },
    dispose: () => following.dispose(),
  };
}
