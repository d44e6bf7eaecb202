import * as vscode from 'vscode';
import { sumOfOutcomes, type ToolTally } from '../../core/timeline/toolTallies.ts';
import type { OutcomeKind } from '../../protocol/outcome.ts';
import { ownLanguage } from '../language.ts';

const { t } = vscode.l10n;

/** The kinds of failure in the order in which they are told: those that hide, or break the exchange, first. */
const FAILURES = [
  'protocol_error',
  'invalid_response',
  'transport_error',
  'silent_error',
  'tool_error',
  'timeout',
  'partial',
] as const satisfies readonly OutcomeKind[];

type Failure = (typeof FAILURES)[number];

const one: Readonly<Record<Failure, string>> = {
  protocol_error: t('1 protocol error'),
  invalid_response: t('1 invalid response'),
  transport_error: t('1 transport error'),
  silent_error: t('1 silent error'),
  tool_error: t('1 tool error'),
  timeout: t('1 timeout'),
  partial: t('1 partial result'),
};

const many: Readonly<Record<Failure, (count: number) => string>> = {
  protocol_error: (count) => t('{0} protocol errors', count),
  invalid_response: (count) => t('{0} invalid responses', count),
  transport_error: (count) => t('{0} transport errors', count),
  silent_error: (count) => t('{0} silent errors', count),
  tool_error: (count) => t('{0} tool errors', count),
  timeout: (count) => t('{0} timeouts', count),
  partial: (count) => t('{0} partial results', count),
};

/** The theme's colour of a kind of failure. */
const colours: Readonly<Record<Failure, string>> = {
  protocol_error: 'faultline.protocolError',
  invalid_response: 'faultline.invalidResponse',
  transport_error: 'faultline.transportError',
  silent_error: 'faultline.silentError',
  tool_error: 'faultline.toolError',
  timeout: 'faultline.timeout',
  partial: 'faultline.partial',
};

/** "1 silent error", "3 tool errors": each kind of failure that there was, the worst first. */
export function failureTexts({ outcomes }: Pick<ToolTally, 'outcomes'>): readonly string[] {
  return FAILURES.flatMap((kind) => {
    const count = outcomes[kind] ?? 0;
    return count === 0 ? [] : [count === 1 ? one[kind] : many[kind](count)];
  });
}

/** "12 calls". */
export function callsText(calls: number): string {
  return calls === 1 ? t('1 call') : t('{0} calls', calls);
}

/** "p95 240 ms"; nothing where no call was answered. */
export function p95Texts({ p95Ms }: ToolTally): readonly string[] {
  return p95Ms === undefined ? [] : [t('p95 {0}', durationText(p95Ms))];
}

function durationText(ms: number): string {
  const [value, isSeconds] = ms < 9950 ? [ms, false] : [ms / 1000, true];
  const digits = isSeconds || ms < 9.95 ? 1 : 0;
  const number = value.toLocaleString(ownLanguage(), { maximumFractionDigits: digits });
  return isSeconds ? t('{0} s', number) : t('{0} ms', number);
}

/** The colour of the worst that a tool has done; `undefined` when nothing failed. */
export function worstColour({ outcomes }: Pick<ToolTally, 'outcomes'>): string | undefined {
  const worst = FAILURES.find((kind) => (outcomes[kind] ?? 0) > 0);
  return worst === undefined ? undefined : colours[worst];
}

/** All of a server's tools together. */
export function sumOf(
  tallies: readonly ToolTally[],
): Pick<ToolTally, 'calls' | 'outcomes'> & { readonly failures: number } {
  const outcomes = sumOfOutcomes(tallies.map((tally) => tally.outcomes));
  const calls = tallies.reduce((sum, tally) => sum + tally.calls, 0);
  const failures = FAILURES.reduce((sum, kind) => sum + (outcomes[kind] ?? 0), 0);
  return { calls, outcomes, failures };
}
