import * as vscode from 'vscode';
import type { OtlpStatus } from '../../core/export/otlp/exporter.ts';
import type { OtlpOptions } from '../../core/export/otlp/settings.ts';
import type { LogEvent } from '../../protocol/events.ts';
import { readSetting } from '../manifest.ts';
import type { ReadableLog, Recording } from '../recording.ts';
import { say } from '../say.ts';
import type { ValueStore } from '../servers/valueStore.ts';
import { chunksOf } from '../sessions/eventsOf.ts';
import { pickSession } from '../sessions/pickSession.ts';
import { ExportThread } from './exportThread.ts';
import { readOtlpOptions } from './otlpOptions.ts';
import { lossesOf } from './statusText.ts';

// Its own bundle, loaded with the first export to OpenTelemetry.

const { t } = vscode.l10n;

const CHUNK_EVENTS = 500;
/** Batches that the thread may be behind. */
const MAX_BATCHES = 4;

export interface OtlpExportSource {
  /** What is shown where the person looked last. */
  readonly recording: Recording<ReadableLog>;
  readonly values: ValueStore;
  readonly version: string;
  readonly extensionUri: vscode.Uri;
}

/** Asks for a session, and for the filter where there is one, and exports with a progress that can be cancelled. */
export async function exportToOtlp(source: OtlpExportSource): Promise<void> {
  const { recording, values } = source;
  const chosen = await pickSession(recording.log.sessions(), t('Export which session to OpenTelemetry?'));
  const keys = chosen === undefined ? undefined : await pickKeys(recording);
  if (chosen === undefined || keys === undefined) {
    return;
  }
  const options = await readOtlpOptions(readSetting, (name) => values.secret(name));
  if ('code' in options) {
    void vscode.window.showErrorMessage(say(options.code, options.args));
    return;
  }
  const endpoint = await askForEndpoint(options);
  if (endpoint === undefined) {
    return;
  }
  const ids = new Set<string>(chosen.map(({ id }) => id));
  const [first, second] = chosen;
  const instance = second === undefined && first !== undefined ? first.id : 'faultline';
  const status = await run(source, { ...options, endpoint }, instance, keys === 'all' ? undefined : keys, (event) =>
    ids.has(event.session),
  );
  if (status !== undefined) {
    tell(status);
  }
}

function tell(status: OtlpStatus): void {
  const losses = lossesOf(status);
  const sentence = t('Spans exported to {0}: {1}.', status.endpoint, status.sent);
  if (losses.length === 0) {
    void vscode.window.showInformationMessage(sentence);
  } else {
    const { lastProblem } = status;
    const why = lastProblem === undefined ? [] : [lastProblem];
    void vscode.window.showWarningMessage([sentence, ...losses, ...why].join(' '));
  }
}

/** The exchanges that are wanted; `undefined` when the person has changed their mind. */
async function pickKeys({ timeline }: Recording<ReadableLog>): Promise<readonly number[] | 'all' | undefined> {
  if (timeline.total === timeline.recorded) {
    return 'all';
  }
  const chosen = await vscode.window.showQuickPick(
    [
      { label: t('Everything'), description: t('every exchange'), isAll: true },
      { label: t('What the Timeline Shows'), description: t('{0} rows', timeline.total), isAll: false },
    ],
    { title: t('Export what to OpenTelemetry?') },
  );
  if (chosen === undefined) {
    return undefined;
  }
  return chosen.isAll
    ? 'all'
    : timeline
        .rows(0, timeline.total)
        .flatMap(({ key, isExpandable }) => [
          Math.abs(key),
          ...(isExpandable ? timeline.attempts(key).map((attempt) => Math.abs(attempt.key)) : []),
        ]);
}

/** The endpoint of the settings or the environment; asked for where neither names one. `undefined`: changed their mind. */
async function askForEndpoint({ endpoint, protocol }: OtlpOptions): Promise<string | undefined> {
  const named = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'].some(
    (name) => (process.env[name] ?? '') !== '',
  );
  if (named || (endpoint ?? '').trim() !== '') {
    return endpoint ?? '';
  }
  return vscode.window.showInputBox({
    title: t('Export to which collector?'),
    value: protocol === 'grpc' ? 'http://localhost:4317' : 'http://localhost:4318',
    prompt: t('The setting faultline.otlp.endpoint keeps it.'),
    validateInput: (value) =>
      URL.canParse(value) ? undefined : say('otlp.settings.endpoint', { value: value.slice(0, 200) }),
  });
}

function run(
  { recording, version, extensionUri }: OtlpExportSource,
  options: OtlpOptions,
  instance: string,
  keys: readonly number[] | undefined,
  isWanted: (event: LogEvent) => boolean,
): Thenable<OtlpStatus | undefined> {
  const location = vscode.ProgressLocation.Notification;
  const title = t('Exporting to OpenTelemetry');
  return vscode.window.withProgress({ location, cancellable: true, title }, async (progress, token) => {
    const thread = new ExportThread({
      script: vscode.Uri.joinPath(extensionUri, 'dist', 'otlp-thread.js').fsPath,
      settings: { options, version, instance, mode: 'read', ...(keys === undefined ? {} : { keys }) },
      onStatus: ({ sent }) => progress.report({ message: t('Spans: {0}', sent) }),
      onProblem: ({ code, args }) => void vscode.window.showErrorMessage(say(code, args)),
    });
    token.onCancellationRequested(() => thread.stop());
    for await (const chunk of chunksOf(recording.log, { limit: CHUNK_EVENTS })) {
      if (token.isCancellationRequested) {
        break;
      }
      await thread.room(MAX_BATCHES);
      thread.take(chunk.filter(isWanted));
    }
    return token.isCancellationRequested ? undefined : thread.end(0);
  });
}
