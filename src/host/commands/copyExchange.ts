import * as vscode from 'vscode';
import type { ReadableLog, Recording } from '../recording.ts';
import { showUserError, userErrors } from '../userError.ts';

/** Puts request, answer and verdict of a row on the clipboard, as one JSON object. */
export async function copyExchange(recording: Recording<ReadableLog>, key: number | undefined): Promise<void> {
  const row = key === undefined ? undefined : recording.timeline.row(key);
  const exchange = row === undefined ? undefined : recording.exchange(row.endKey);
  if (exchange === undefined) {
    await showUserError(userErrors.nothingSelected(), 'warning');
    return;
  }
  const text = {
    server: exchange.server,
    method: exchange.method,
    request: messageAt(recording, exchange.key),
    response: exchange.endSeq === undefined ? undefined : messageAt(recording, exchange.endSeq),
    verdict: exchange.verdict,
    failure: exchange.failure,
  };
  await vscode.env.clipboard.writeText(JSON.stringify(text, undefined, 2));
  vscode.window.setStatusBarMessage(vscode.l10n.t('Copied {0} as JSON', exchange.target ?? exchange.method), 3000);
}

/** The message as JSON where it is some, else as the text that it was. */
function messageAt(recording: Recording<ReadableLog>, seq: number): unknown {
  const body = recording.log.get(Math.floor(seq))?.body;
  if (body?.kind !== 'message') {
    return undefined;
  }
  try {
    return JSON.parse(body.raw);
  } catch {
    return body.raw;
  }
}
