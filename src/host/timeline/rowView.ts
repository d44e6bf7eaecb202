import * as vscode from 'vscode';
import type { TimelineRow } from '../../core/timeline/timelineRow.ts';
import type { TransportFailure } from '../../protocol/events.ts';
import type { Exchange, RowKind } from '../../protocol/exchange.ts';
import { FAILURE_KINDS, type Mark } from '../../protocol/outcome.ts';
import type { RowView } from '../../protocol/timelineViews.ts';
import { say } from '../say.ts';
import { outcomeNames } from './pageStrings.ts';

const { t } = vscode.l10n;

const markTexts: Readonly<Record<Mark, string>> = {
  retried: t('retried'),
  replay: t('replay'),
  late: t('late answer'),
  duplicate: t('answered twice'),
  superseded: t('id used again'),
  ambiguous_delivery: t('may have been executed'),
  injected_fault: t('injected fault'),
  redacted: t('redacted'),
  truncated: t('truncated'),
  more_available: t('more available'),
  id_type_mismatch: t('id of another type'),
  batch: t('batch'),
  era_probe: t('asks for the era of the server, to which a refusal is an answer'),
  edited: t('edited'),
};

const lasts: ReadonlySet<RowKind> = new Set<RowKind>(['request', 'connection']);

/** A row in the words of the page. `exchange` is asked for only where a row has something to explain. */
export function rowView(
  row: TimelineRow,
  serverName: string,
  exchange: (key: number) => Exchange | undefined,
): RowView {
  const needsWords = row.outcome !== 'success' && row.outcome !== 'pending';
  const explained = needsWords || row.segments !== undefined ? exchange(row.endKey) : undefined;
  return {
    key: row.key,
    kind: row.kind,
    depth: row.depth,
    isExpandable: row.isExpandable,
    isExpanded: row.isExpanded,
    startUs: row.startUs,
    // A notification or a stray line is a moment: it has no duration.
    ...(row.endUs === undefined || !lasts.has(row.kind) ? {} : { durationUs: Math.max(0, row.endUs - row.startUs) }),
    server: serverName,
    method: row.method,
    ...(row.target === undefined ? {} : { target: row.target }),
    initiator: row.initiator,
    outcome: row.outcome,
    outcomeText: outcomeText(row, explained),
    reason: reasonOf(row, explained),
    ...(row.attempt === undefined ? {} : { attempt: row.attempt }),
    ...(row.segments === undefined ? {} : { segments: row.segments }),
    marks: row.marks.map((mark) => ({
      mark,
      text: mark === 'injected_fault' ? injectedText(exchange(row.endKey)) : markTexts[mark],
    })),
    bytes: row.bytes,
  };
}

function outcomeText(row: TimelineRow, exchange: Exchange | undefined): string {
  if (row.outcome === undefined) {
    return '';
  }
  const name = outcomeNames[row.outcome];
  switch (row.outcome) {
    case 'success':
      return row.depth === 0 && row.attempt !== undefined && row.attempt.number > 1
        ? successOn(row.attempt.number)
        : name;
    case 'partial': {
      const partial = exchange?.verdict?.partial;
      return partial?.done !== undefined && partial.total !== undefined
        ? `${name} ${partial.done}/${partial.total}`
        : name;
    }
    case 'protocol_error': {
      const code = exchange?.verdict?.signals[0]?.args['code'];
      return code === undefined ? name : t('protocol {0}', code);
    }
    case 'transport_error':
      return exchange?.failure === undefined ? name : failureName(exchange.failure);
    default:
      return name;
  }
}

/** "injected: answer dropped": whose doing it was comes first. */
function injectedText(exchange: Exchange | undefined): string {
  const names = (exchange?.injected ?? []).map(({ fault }) => say(`fault.short.${fault}`));
  return names.length === 0 ? markTexts.injected_fault : t('injected: {0}', names.join(', '));
}

/** "success on 3rd": short enough for its column. */
function successOn(attempt: number): string {
  switch (attempt) {
    case 2:
      return t('success on 2nd');
    case 3:
      return t('success on 3rd');
    default:
      return t('success on {0}th', attempt);
  }
}

/** A lost connection in two or three words. */
export function failureName(failure: TransportFailure): string {
  switch (failure.reason) {
    case 'spawn-failed':
      return t('did not start');
    case 'exited':
      return failure.exitSignal ? t('killed by {0}', failure.exitSignal) : t('exit {0}', failure.exitCode ?? '?');
    case 'refused':
      return t('connection refused');
    case 'unresolved':
      return t('host not found');
    case 'tls':
      return t('TLS failed');
    case 'unauthorized':
    case 'http-status':
    case 'session-lost':
      return failure.status === undefined ? t('connection lost') : `HTTP ${failure.status}`;
    case 'stream-ended':
      return t('stream ended');
    case 'not-json-rpc':
      return t('not JSON-RPC');
    case 'accepted-without-answer':
      return t('no answer');
    case 'unavailable':
      return t('temporarily unavailable');
    case 'reset':
    case 'closed':
    case 'unknown':
      return t('connection lost');
  }
}

function reasonOf(row: TimelineRow, exchange: Exchange | undefined): string {
  if (exchange === undefined) {
    return '';
  }
  const failure = exchange.failure;
  if (failure !== undefined) {
    return [failureName(failure), failure.stderrTail?.at(-1) ?? failure.message].join(' · ');
  }
  const isFailure = row.outcome !== undefined && FAILURE_KINDS.has(row.outcome);
  const signals = exchange.verdict?.signals ?? [];
  // The words of the tool or server say more in one line than our sentence about them.
  const words = signals.map(({ args }) => args['text'] ?? args['message']).find((text) => text !== undefined);
  if (
    words !== undefined &&
    (row.outcome === 'tool_error' || row.outcome === 'silent_error' || row.outcome === 'protocol_error')
  ) {
    return String(words);
  }
  const signal = signals[0];
  return signal !== undefined && (isFailure || row.outcome === 'input_required' || row.outcome === undefined)
    ? say(signal.code, signal.args)
    : '';
}
