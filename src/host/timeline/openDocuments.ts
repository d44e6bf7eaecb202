import * as vscode from 'vscode';
import type { Exchange } from '../../protocol/exchange.ts';
import type { ReadableLog, Recording } from '../recording.ts';
import { timeText } from './beside.ts';
import { endOf } from './compareBase.ts';
import { messageUri } from './messageDocuments.ts';

/** Opens a message as a read-only document beside the page; `file` is the session file that it is of. */
export async function openMessageDocument(seq: number, file?: string, isRaw = false): Promise<void> {
  const document = await vscode.workspace.openTextDocument(messageUri(seq, file, isRaw));
  await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
}

/** Opens the answers of two rows in VS Code's diff editor, the earlier one on the left. */
export async function openTextDiff(
  recording: Recording<ReadableLog>,
  key: number,
  base: number,
  file?: string,
): Promise<void> {
  const found = [endOf(recording, base), endOf(recording, key)].filter((exchange) => exchange !== undefined);
  const [before, after] = found.sort((a, b) => a.startUs - b.startUs);
  if (before !== undefined && after !== undefined) {
    await openAnswerDiff({ recording, exchange: before, file }, { recording, exchange: after, file });
  }
}

/** An exchange with the recording that it is of; `file` is the session file that that is of. */
export interface FoundExchange {
  readonly recording: Recording<ReadableLog>;
  readonly exchange: Exchange;
  readonly file?: string | undefined;
}

/** Opens the answers of two exchanges, of whatever recordings, in VS Code's diff editor. */
export async function openAnswerDiff(before: FoundExchange, after: FoundExchange): Promise<void> {
  const uriOf = ({ recording, exchange, file }: FoundExchange) => messageUri(answerSeq(recording, exchange), file);
  const name = ({ exchange }: FoundExchange) => `${exchange.target ?? exchange.method} ${timeText(exchange.startUs)}`;
  await vscode.commands.executeCommand('vscode.diff', uriOf(before), uriOf(after), `${name(before)} ↔ ${name(after)}`);
}

function answerSeq(recording: Recording<ReadableLog>, { endSeq }: Exchange): number | undefined {
  const seq = endSeq === undefined ? undefined : Math.floor(endSeq);
  const kind = seq === undefined ? undefined : recording.log.get(seq)?.body.kind;
  return kind === 'message' || kind === 'noise' ? seq : undefined;
}
