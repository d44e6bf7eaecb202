import * as vscode from 'vscode';
import { messageOf } from '../base/messageOf.ts';

/** An action offered beside an error message. */
export interface Remedy {
  readonly title: string;
  readonly run: () => unknown;
}

/** A failure that a person is told of. `code` is stable and is what code and bug reports match on. */
export interface UserError {
  readonly code: string;
  readonly message: string;
  readonly remedies: readonly Remedy[];
}

const showLog: Remedy = {
  title: vscode.l10n.t('Report Debug Information'),
  run: () => vscode.commands.executeCommand('faultline.reportDebugInformation'),
};

/** The catalogue: one factory a failure, each with what to do about it. */
export const userErrors = {
  activationFailed: (cause: unknown): UserError => ({
    code: 'FAULTLINE_ACTIVATION',
    message: vscode.l10n.t('Faultline could not start: {0}', messageOf(cause)),
    remedies: [],
  }),
  untrusted: (): UserError => ({
    code: 'FAULTLINE_UNTRUSTED',
    message: vscode.l10n.t('This workspace is not trusted, so Faultline starts and contacts nothing.'),
    remedies: [
      {
        title: vscode.l10n.t('Manage Workspace Trust'),
        run: () => vscode.commands.executeCommand('workbench.trust.manage'),
      },
    ],
  }),
  logInMemory: (reason: string): UserError => ({
    code: 'FAULTLINE_LOG_IN_MEMORY',
    message: reason,
    remedies: [showLog],
  }),
  noServers: (): UserError => ({
    code: 'FAULTLINE_NO_SERVERS',
    message: vscode.l10n.t('No MCP server is defined. Add one to .vscode/mcp.json, or run the demo.'),
    remedies: [{ title: vscode.l10n.t('Run Demo'), run: () => vscode.commands.executeCommand('faultline.runDemo') }],
  }),
  filterNotSaved: (problem: string): UserError => ({
    code: 'FAULTLINE_FILTER_NOT_SAVED',
    message: vscode.l10n.t('This filter was not saved: {0}', problem),
    remedies: [],
  }),
  nothingSelected: (): UserError => ({
    code: 'FAULTLINE_NOTHING_SELECTED',
    message: vscode.l10n.t('Select a row of the timeline first.'),
    remedies: [
      { title: vscode.l10n.t('Open Timeline'), run: () => vscode.commands.executeCommand('faultline.openTimeline') },
    ],
  }),
  notCopied: (name: string, reason: string): UserError => ({
    code: 'FAULTLINE_NOT_COPIED',
    message: vscode.l10n.t('{0} was not copied. {1}', name, reason),
    remedies: [],
  }),
  notComparable: (): UserError => ({
    code: 'FAULTLINE_NOT_COMPARABLE',
    message: vscode.l10n.t('Choose another row with "Select for Compare" first.'),
    remedies: [],
  }),
  notReplayable: (reason: string): UserError => ({
    code: 'FAULTLINE_NOT_REPLAYABLE',
    message: reason,
    remedies: [],
  }),
  badArguments: (problem: string): UserError => ({
    code: 'FAULTLINE_BAD_ARGUMENTS',
    message: vscode.l10n.t('These are no tool arguments: {0}', problem),
    remedies: [],
  }),
  nothingRecorded: (): UserError => ({
    code: 'FAULTLINE_NOTHING_RECORDED',
    message: vscode.l10n.t('Nothing is recorded yet.'),
    remedies: [{ title: vscode.l10n.t('Run Demo'), run: () => vscode.commands.executeCommand('faultline.runDemo') }],
  }),
  logInUse: (): UserError => ({
    code: 'FAULTLINE_LOG_IN_USE',
    message: vscode.l10n.t('The log was not changed, because another process is writing it. Try again.'),
    remedies: [],
  }),
  damagedSession: (file: string, problems: string): UserError => ({
    code: 'FAULTLINE_DAMAGED_SESSION',
    message: vscode.l10n.t('{0} is shown as far as it can be read. {1}', file, problems),
    remedies: [],
  }),
  notOnDisk: (scheme: string): UserError => ({
    code: 'FAULTLINE_NOT_ON_DISK',
    message: vscode.l10n.t('An export can be written to a folder on disk only, not to one of {0}.', scheme),
    remedies: [],
  }),
  lintBroken: (cause: unknown): UserError => ({
    code: 'FAULTLINE_LINT_BROKEN',
    message: vscode.l10n.t('The lint cannot read its grammars, so files are not checked: {0}', messageOf(cause)),
    remedies: [
      {
        title: vscode.l10n.t('Reload Window'),
        run: () => vscode.commands.executeCommand('workbench.action.reloadWindow'),
      },
      showLog,
    ],
  }),
  toolNotFound: (tool: string): UserError => ({
    code: 'FAULTLINE_TOOL_NOT_FOUND',
    message: vscode.l10n.t('No file of this workspace was found to define the tool “{0}”.', tool),
    remedies: [],
  }),
  noSuites: (): UserError => ({
    code: 'FAULTLINE_NO_SUITES',
    message: vscode.l10n.t('This workspace has no suite yet. "Save as Suite…" makes one of recorded calls.'),
    remedies: [],
  }),
  noCase: (): UserError => ({
    code: 'FAULTLINE_NO_CASE',
    message: vscode.l10n.t('Nothing of this can be a case: it is no call of a client that has come to an end.'),
    remedies: [],
  }),
  suiteNotChanged: (file: string): UserError => ({
    code: 'FAULTLINE_SUITE_NOT_CHANGED',
    message: vscode.l10n.t('{0} was not changed, because it cannot be read as it stands.', file),
    remedies: [],
  }),
  mockFailed: (reason: string): UserError => ({
    code: 'FAULTLINE_MOCK_FAILED',
    message: vscode.l10n.t('The mock does not listen: {0}', reason),
    remedies: [],
  }),
  commandFailed: (command: string, cause: unknown): UserError => ({
    code: 'FAULTLINE_COMMAND_FAILED',
    message: vscode.l10n.t('{0} failed: {1}', command, messageOf(cause)),
    remedies: [showLog],
  }),
  notTapped: (reason: string): UserError => ({
    code: 'FAULTLINE_NOT_TAPPED',
    message: reason,
    remedies: [],
  }),
  demoFailed: (reason: string): UserError => ({
    code: 'FAULTLINE_DEMO_FAILED',
    message: vscode.l10n.t('The demo server did not start: {0}', reason),
    remedies: [showLog],
  }),
};

/** Shows an error with its remedies. Resolves when the person has answered or dismissed it. */
export async function showUserError(error: UserError, severity: 'error' | 'warning' = 'error'): Promise<void> {
  const titles = error.remedies.map((remedy) => remedy.title);
  const show = severity === 'error' ? vscode.window.showErrorMessage : vscode.window.showWarningMessage;
  const chosen = await show(error.message, ...titles);
  await error.remedies.find((remedy) => remedy.title === chosen)?.run();
}
