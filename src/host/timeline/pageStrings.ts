import * as vscode from 'vscode';
import type { OutcomeKind } from '../../protocol/outcome.ts';
import type { PageStrings } from '../../protocol/pageStrings.ts';
import { detailsStrings } from './detailsStrings.ts';
import { overviewStrings } from './overviewStrings.ts';

const { t } = vscode.l10n;

/** The name of each outcome, as chips, rows and badges show it. */
export const outcomeNames: Readonly<Record<OutcomeKind, string>> = {
  success: t('success'),
  partial: t('partial'),
  tool_error: t('tool error'),
  silent_error: t('silent error'),
  protocol_error: t('protocol error'),
  transport_error: t('transport error'),
  timeout: t('timeout'),
  cancelled: t('cancelled'),
  input_required: t('input required'),
  task_pending: t('task running'),
  invalid_response: t('invalid response'),
  pending: t('pending'),
};

/** Every sentence of the timeline page. */
export const pageStrings: PageStrings = {
  outcomes: outcomeNames,
  gridLabel: t('Timeline of MCP exchanges'),
  columns: {
    time: t('Time'),
    server: t('Server'),
    call: t('Call'),
    outcome: t('Outcome'),
    waterfall: t('Waterfall'),
    duration: t('ms'),
  },
  tabs: {
    why: t('Why'),
    request: t('Request'),
    response: t('Response'),
    attempts: t('Attempts'),
    stderr: t('stderr'),
    related: t('Related'),
  },
  actions: {
    replay: t('Replay with Backoff'),
    copyJson: t('Copy as JSON'),
    goToToolSource: t('Go to Tool Source'),
    close: t('Close details'),
    openDocument: t('Open as document'),
    follow: t('Follow'),
    runDemo: t('Run Demo'),
    connectAll: t('Connect All Servers'),
    manageTrust: t('Manage Workspace Trust'),
    openInEditor: t('Open in Editor'),
  },
  empty: {
    title: t('Nothing recorded yet'),
    body: t('Connect the servers of this workspace, or run the demo to see every kind of failure once.'),
    untrusted: t('This workspace is not trusted: nothing is started or contacted. Recorded sessions can be opened.'),
    filtered: t('No row passes the filter.'),
    clearFilter: t('Clear filter'),
  },
  outcomeToggles: t('Shown outcomes'),
  filterPlaceholder: t('Filter, such as server:name ms>500 text'),
  filter: {
    completions: t('Suggestions for the filter'),
    clear: t('Clear filter'),
    saved: t('Saved Filters…'),
    searching: t('searching messages'),
  },
  shownOf: t('{shown} of {recorded}'),
  retried: t('retried'),
  retryQuestion: t('Retry?'),
  missing: t('Missing'),
  unusual: t('Also seen'),
  details: detailsStrings,
  truncated: t('Only the beginning is shown.'),
  pending: t('waiting for an answer'),
  announceFailure: t('New failure: {what}'),
  announceFiltered: t('{shown} of {recorded} rows'),
  expand: t('Show attempts'),
  collapse: t('Hide attempts'),
  inMemory: t('recording in memory only'),
  overview: overviewStrings,
};
