import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { copyAs, copyFormatsOf } from '../../core/export/copyAs/copyAs.ts';
import type { CopyFormat } from '../../core/export/copyAs/copySource.ts';
import { Redactor } from '../../core/log/redact/redactor.ts';
import type { ServerDefinition } from '../../protocol/definition.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { jsonText } from '../../protocol/json.ts';
import type { ReadableLog, Recording } from '../recording.ts';
import { say } from '../say.ts';
import { formatNames } from '../timeline/detailsStrings.ts';
import { showUserError, userErrors } from '../userError.ts';
import { copySource } from './copySource.ts';

// Its own bundle, loaded with the first copy.

const { t } = vscode.l10n;

/** What is copied: a row of a recording, and how its server is defined. */
export interface CopyTarget {
  readonly recording: Recording<ReadableLog>;
  readonly key: number | undefined;
  readonly definitionOf: (server: string) => ServerDefinition | undefined;
}

/** Puts a row on the clipboard in one form; asks for the form when none is given. */
export async function copyRow(target: CopyTarget, format?: CopyFormat): Promise<void> {
  const { recording, key } = target;
  const row = key === undefined ? undefined : recording.timeline.row(key);
  const exchange = row === undefined ? undefined : recording.exchange(row.endKey);
  if (exchange === undefined) {
    await showUserError(userErrors.nothingSelected(), 'warning');
    return;
  }
  const redactor = new Redactor(randomBytes(32));
  const redact = (text: string) => redactor.redact(text, false).text;
  const source = copySource(recording, exchange, target.definitionOf(exchange.server), redact);
  const wanted = format ?? (await askForFormat(copyFormatsOf(source)));
  if (wanted === undefined) {
    return;
  }
  const copied = wanted === 'json' ? { text: asJson(recording, exchange), env: [] } : copyAs(wanted, source);
  const name = exchange.target ?? exchange.method;
  if ('refusal' in copied) {
    await showUserError(userErrors.notCopied(name, say(copied.refusal)), 'warning');
    return;
  }
  await vscode.env.clipboard.writeText(copied.text);
  const said = t('Copied {0} as {1}', name, formatNames[wanted]);
  const set = copied.env.length === 0 ? '' : ` · ${t('set first: {0}', copied.env.join(', '))}`;
  vscode.window.setStatusBarMessage(said + set, set === '' ? 3000 : 10_000);
}

async function askForFormat(formats: readonly CopyFormat[]): Promise<CopyFormat | undefined> {
  const items = formats.map((format) => ({ label: formatNames[format], format }));
  return (await vscode.window.showQuickPick(items, { title: t('Copy as') }))?.format;
}

/** Request, answer and verdict as one JSON object. */
function asJson(recording: Recording<ReadableLog>, exchange: Exchange): string {
  const { server, method, verdict, failure } = exchange;
  const request = messageAt(recording, exchange.key);
  const response = exchange.endSeq === undefined ? undefined : messageAt(recording, exchange.endSeq);
  return jsonText({ server, method, request, response, verdict, failure }, 2);
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
