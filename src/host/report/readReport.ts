import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { SessionSummary } from '../../core/export/sessionIndex.ts';
import { Redactor } from '../../core/log/redact/redactor.ts';
import { reportOf } from '../../core/report/reportOf.ts';
import type { LogEvent } from '../../protocol/events.ts';
import type { Report } from '../../protocol/report.ts';
import { readSetting } from '../manifest.ts';
import type { ReadableLog } from '../recording.ts';
import { eventsOf } from '../sessions/eventsOf.ts';

/** The report of sessions of a log, with a progress that can be cancelled; `undefined` when it was. */
export async function readReport(
  log: ReadableLog,
  sessions: readonly SessionSummary[],
  version: string,
): Promise<Report | undefined> {
  const title = vscode.l10n.t('Reading what was recorded for the report');
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, cancellable: true, title },
    async (progress, token) => {
      const redactor = new Redactor(randomBytes(32));
      const ids = new Set(sessions.map(({ id }) => id));
      const from = log.read({ from: 1, limit: 1 })[0]?.seq ?? 1;
      const span = Math.max(1, log.lastSeq - from);
      let reached = from;
      const afterChunk = (chunk: readonly LogEvent[]) => {
        const next = (chunk.at(-1)?.seq ?? reached) + 1;
        progress.report({ increment: (100 * (next - reached)) / span });
        reached = next;
        if (token.isCancellationRequested) {
          throw new vscode.CancellationError();
        }
      };
      try {
        return await reportOf(
          eventsOf(log, ({ session }) => ids.has(session), { from, afterChunk }),
          {
            loopLimit: readSetting('agent.loopLimit'),
            redact: (text, isJson) => redactor.redact(text, isJson).text,
            frame: {
              generatedAt: new Date().toISOString(),
              faultline: version,
              scope: { sessions: sessions.map(({ id, name }) => ({ id, ...(name === undefined ? {} : { name }) })) },
            },
          },
        );
      } catch (error) {
        if (error instanceof vscode.CancellationError) {
          return undefined;
        }
        throw error;
      }
    },
  );
}
