import { STATUS_CODES } from 'node:http';
import * as vscode from 'vscode';
import type { HttpView, StderrView } from '../../protocol/details.ts';
import type { HttpBody, LogEvent } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import type { ReadableLog } from '../recording.ts';

const { t } = vscode.l10n;

/** Lines of stderr shown beside an exchange. */
const STDERR_LINES = 100;
/** Events before and after an exchange among which its stderr is looked for. */
const EVENTS_AROUND = 500;
const MAX_EVENTS = 3000;
/** A server's last words before a call, and what it says just after, µs. */
const AROUND_US = 2_000_000;

const levelTexts: Readonly<Record<StderrView['level'], string>> = {
  debug: t('debug'),
  info: t('info'),
  warning: t('warning'),
  error: t('error'),
  unknown: '',
};

/** The HTTP exchanges that carried an exchange, in order; none over stdio. */
export function httpViews(log: ReadableLog, exchange: Exchange): readonly HttpView[] {
  const seqs = [...new Set([Math.floor(exchange.key), ...exchange.related])].sort((a, b) => a - b);
  return seqs.flatMap((seq) => {
    const event = log.get(seq);
    return event?.body.kind === 'http' ? [httpView(event, event.body)] : [];
  });
}

function httpView({ seq }: LogEvent, body: HttpBody): HttpView {
  const { method, url, status, durationUs, requestHeaders, responseHeaders, failure } = body;
  return {
    seq,
    method,
    url,
    ...(status === undefined ? {} : { status }),
    statusText: status === undefined ? '' : (STATUS_CODES[status] ?? ''),
    durationUs,
    requestHeaders: Object.entries(requestHeaders),
    responseHeaders: Object.entries(responseHeaders),
    ...(body.body === undefined || body.body === '' ? {} : { body: body.body }),
    ...(failure === undefined ? {} : { failure: failure.message }),
  };
}

/** What the server wrote to stderr from a little before an exchange to a little after it. */
export function stderrViews(log: ReadableLog, exchange: Exchange): readonly StderrView[] {
  const first = Math.floor(exchange.key);
  const last = exchange.related.reduce((max, seq) => Math.max(max, seq), exchange.endSeq ?? first);
  const until = exchange.endUs === undefined ? Number.POSITIVE_INFINITY : exchange.endUs + AROUND_US;
  return log
    .read({
      from: Math.max(1, first - EVENTS_AROUND),
      to: last + EVENTS_AROUND,
      connection: exchange.connection,
      limit: MAX_EVENTS,
    })
    .flatMap(({ body, wallUs }): StderrView[] =>
      body.kind === 'stderr' && wallUs >= exchange.startUs - AROUND_US && wallUs <= until
        ? [
            {
              offsetUs: wallUs - exchange.startUs,
              level: body.level,
              levelText: levelTexts[body.level],
              text: body.line,
            },
          ]
        : [],
    )
    .slice(-STDERR_LINES);
}
