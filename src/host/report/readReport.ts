import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { SessionSummary } from '../../core/export/sessionIndex.ts';
import { Redactor } from '../../core/log/redact/redactor.ts';
import { reportOf } from '../../core/report/reportOf.ts';
import type { LogEvent } from '../../protocol/events.ts';
import type { Report } from '../../protocol/report.ts';
import { readSetting } from '../manifest.ts';
import type { ReadableLog } from '../recording.ts';

/** Events of a log that are read at a time. */
const CHUNK_EVENTS = 1000;

class Cancelled extends Error {}

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
      try {
        return await reportOf(eventsOf(log, sessions, progress, token), {
          loopLimit: readSetting('agent.loopLimit'),
          redact: (text, isJson) => redactor.redact(text, isJson).text,
          frame: {
            generatedAt: new Date().toISOString(),
            faultline: version,
            scope: { sessions: sessions.map(({ id, name }) => ({ id, ...(name === undefined ? {} : { name }) })) },
          },
        });
      } catch (error) {
        if (error instanceof Cancelled) {
          return undefined;
        }
        throw error;
      }
    },
  );
}

async function* eventsOf(
  log: ReadableLog,
  sessions: readonly SessionSummary[],
  progress: vscode.Progress<{ increment?: number }>,
  token: vscode.CancellationToken,
): AsyncGenerator<LogEvent, void, undefined> {
  const ids = new Set(sessions.map(({ id }) => id));
  const first = log.read({ from: 1, limit: 1 })[0]?.seq ?? 1;
  const span = Math.max(1, log.lastSeq - first);
  for (let from = first; ; ) {
    const chunk = log.read({ from, limit: CHUNK_EVENTS });
    yield* chunk.filter(({ session }) => ids.has(session));
    const last = chunk.at(-1);
    if (last === undefined) {
      return;
    }
    progress.report({ increment: (100 * (last.seq + 1 - from)) / span });
    from = last.seq + 1;
    // The extension host has others to serve.
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (token.isCancellationRequested) {
      throw new Cancelled();
    }
  }
}
