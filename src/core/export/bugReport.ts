import { createHash } from 'node:crypto';
import type { TextArgs } from '../../base/text.ts';
import type { LogEvent } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { bugReportStyle } from './bugReportStyle.ts';
import { htmlText } from './htmlText.ts';
import { OUTCOME_SHAPES } from './outcomeShapes.ts';
import { LEFT_OUT_KINDS, type LeftOutCounts } from './sessionFile.ts';

/** Characters of a message that the page shows; all that went out is in the session file beside it. */
const SHOWN_LENGTH = 16 * 1024;
/** Exchanges that the page shows. */
export const SHOWN_EXCHANGES = 1000;

export interface BugReport {
  /** Version of this Faultline. */
  readonly version: string;
  /** ISO 8601. */
  readonly exportedAt: string;
  /** Operating system, Node.js and the like, one line. */
  readonly environment: string;
  /** Name of the session file that goes with the page. */
  readonly sessionFile: string;
  /** Projected from what goes out, so that the page shows nothing that was left out. */
  readonly exchanges: readonly Exchange[];
  /** An event as it goes out. */
  eventAt(seq: number): LogEvent | undefined;
  readonly leftOut: LeftOutCounts;
  /** The sentence that a code stands for. */
  say(code: string, args?: TextArgs): string;
}

/**
 * The page of a bug report: one file that needs nothing else, with no script, whose own policy forbids it to load or run
 * anything. All text of servers is escaped.
 */
export function bugReportHtml(report: BugReport): string {
  const { say, exchanges } = report;
  const shown = exchanges.slice(0, SHOWN_EXCHANGES);
  const styleHash = createHash('sha256').update(bugReportStyle).digest('base64');
  const more = exchanges.length - shown.length;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${styleHash}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${htmlText(say('report.title'))}</title>
<style>${bugReportStyle}</style>
</head>
<body>
<h1>${htmlText(say('report.title'))}</h1>
<p>${htmlText(say('report.written', { version: report.version, time: report.exportedAt, environment: report.environment }))}</p>
<p>${htmlText(say('report.file', { file: report.sessionFile }))}</p>
<h2>${htmlText(say('report.leftOut'))}</h2>
<ul>
${leftOutItems(report)}
</ul>
<h2>${htmlText(say('report.exchanges', { count: exchanges.length }))}</h2>
${shown.map((exchange) => exchangeHtml(exchange, report)).join('\n')}
${more > 0 ? `<p>${htmlText(say('report.more', { count: more }))}</p>` : ''}
</body>
</html>
`;
}

function leftOutItems({ leftOut, say }: BugReport): string {
  return LEFT_OUT_KINDS.map((kind) => {
    const count = leftOut[kind] ?? 0;
    const times = kind === 'environment' ? '' : `: ${say(count === 0 ? 'report.none' : 'report.times', { count })}`;
    return `<li>${htmlText(`${say(`leftOut.${kind}`)}${times}`)}</li>`;
  })
    .concat(`<li>${htmlText(say('report.redacted'))}</li>`)
    .join('\n');
}

function exchangeHtml(exchange: Exchange, report: BugReport): string {
  const { key, server, method, target, verdict, marks, chain } = exchange;
  const outcome =
    verdict?.outcome ?? (exchange.endSeq === undefined && exchange.kind === 'request' ? 'pending' : undefined);
  const label = outcome === undefined ? exchange.kind : `${OUTCOME_SHAPES[outcome]} ${outcome.replaceAll('_', ' ')}`;
  const facts = [
    server,
    target === undefined ? method : `${method} ${target}`,
    ...(exchange.endUs === undefined ? [] : [`${((exchange.endUs - exchange.startUs) / 1000).toFixed(1)} ms`]),
    ...(chain === undefined || chain.maxAttempts < 2 ? [] : [`${chain.attempt}/${chain.maxAttempts}`]),
    ...marks.map((mark) => mark.replaceAll('_', ' ')),
  ];
  return `<details id="e${key}"${outcome === 'success' || outcome === undefined ? '' : ' open'}>
<summary><b class="${outcome ?? 'plain'}">${htmlText(label)}</b> <code>#${key}</code> ${htmlText(facts.join(' · '))}</summary>
${whyHtml(exchange, report)}${messageHtml('report.request', exchange.kind === 'request' ? key : undefined, report)}${messageHtml('report.answer', exchange.endSeq === key ? undefined : exchange.endSeq, report)}${exchange.kind === 'request' ? '' : messageHtml('report.message', key, report)}</details>`;
}

function whyHtml({ verdict, failure, injected = [] }: Exchange, { say }: BugReport): string {
  const lines = [
    ...injected.map(({ fault, detail }) => say(`fault.injected.${fault}`, detail === undefined ? {} : { detail })),
    ...(verdict?.signals ?? []).map(
      ({ code, args, strength, pointer }) => `${say(code, args)} (${strength}${pointer ? `, ${pointer}` : ''})`,
    ),
    ...(verdict?.partial?.missing ?? []).map((item) => say('report.missing', { item })),
    ...(failure === undefined
      ? []
      : [[failure.reason, failure.code, failure.status, failure.message].filter(Boolean).join(' · ')]),
  ];
  return lines.length === 0 ? '' : `<ul>\n${lines.map((line) => `<li>${htmlText(line)}</li>`).join('\n')}\n</ul>\n`;
}

function messageHtml(title: string, seq: number | undefined, { eventAt, say }: BugReport): string {
  const body = seq === undefined ? undefined : eventAt(Math.floor(seq))?.body;
  if (body?.kind !== 'message' && body?.kind !== 'noise') {
    return '';
  }
  const rest = body.raw.length - SHOWN_LENGTH;
  const text = htmlText(body.raw.slice(0, SHOWN_LENGTH));
  const more = rest > 0 ? `\n${htmlText(say('report.cut', { count: rest }))}` : '';
  return `<h3>${htmlText(say(title))}, ${body.bytes} B</h3>\n<pre>${text}${more}</pre>\n`;
}
