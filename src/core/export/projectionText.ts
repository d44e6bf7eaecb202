import type { TransportFailure } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';

/**
 * A projected exchange on one line, for people, golden files and `diff`: `docs/session-format.md` describes it. The same
 * exchange gives the same bytes. What a server wrote is quoted as JSON where it could be more than one word.
 */
export function projectionLine(exchange: Exchange): string {
  const { key, kind, server, method, target, requestId, origin, initiator } = exchange;
  const { verdict, marks, anomalies = [], endSeq, related, chain, group, replayOf, failure, injected = [] } = exchange;
  const parts = [
    `#${key} ${word(server)} ${kind} ${word(method)}${target === undefined ? '' : ` ${JSON.stringify(target)}`}`,
    requestId === undefined ? '' : `id=${JSON.stringify(requestId)}`,
    `by ${initiator}${origin === 'client' ? '' : ` (${word(origin)})`}`,
    verdict === undefined ? (endSeq === undefined ? 'pending' : '') : `${verdict.outcome}/${verdict.retry}`,
    verdict?.partial === undefined ? '' : partialText(verdict.partial),
    verdict === undefined || verdict.signals.length === 0
      ? ''
      : `because ${verdict.signals.map(({ code, pointer }) => `${code}${pointer ? `@${word(pointer)}` : ''}`).join(',')}`,
    marks.length === 0 ? '' : `[${marks.join(' ')}]`,
    injected.length === 0 ? '' : `injected ${injected.map(({ fault }) => fault).join(',')}`,
    anomalies.length === 0 ? '' : `unusual ${anomalies.map(({ code }) => code).join(',')}`,
    endSeq === undefined ? '' : `end=#${endSeq} after ${((exchange.endUs ?? 0) - exchange.startUs) / 1000} ms`,
    related.length === 0 ? '' : `related=#${related.join(',#')}`,
    `${exchange.bytes} B`,
    chain === undefined
      ? ''
      : `chain=${word(chain.id)} ${chain.attempt}/${chain.maxAttempts} head=#${chain.head} delay=${chain.delayMs} ${word(chain.reason)}`,
    group === undefined ? '' : `${group.kind}[${group.index}] head=#${group.head} active=${group.activeUs / 1000} ms`,
    replayOf === undefined ? '' : `replays #${replayOf}`,
    failure === undefined ? '' : failureText(failure),
  ];
  return parts.filter((part) => part !== '').join('  ');
}

function partialText({ done, total, missing }: NonNullable<NonNullable<Exchange['verdict']>['partial']>): string {
  const counted = done === undefined && total === undefined ? [] : [`${done ?? '?'}/${total ?? '?'}`];
  return [...counted, ...missing.map((item) => `-${JSON.stringify(item)}`)].join(' ');
}

function failureText({ reason, code, status, exitCode, exitSignal, stderrTail = [] }: TransportFailure): string {
  const numbers = [code, status, exitCode, exitSignal].filter((value) => value !== undefined && value !== null);
  return [
    `failure=${reason}`,
    ...numbers.map((value) => word(String(value))),
    ...stderrTail.map((line) => JSON.stringify(line)),
  ].join(' ');
}

/** Text that is one word as it is, and any other quoted. */
function word(text: string): string {
  return /^[\w:./@#$~-]+$/.test(text) ? text : JSON.stringify(text);
}
