import { safeLine } from '../../base/safeText.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { FAILURE_KINDS, type RetryClass } from '../../protocol/outcome.ts';
import type { AgentSource } from './agentSource.ts';

/** Longest sentence, UTF-16 code units: its arguments may quote a server. */
const MAX_SENTENCE = 400;
const MAX_MISSING = 50;

/** What a model is to make of each retry class (outcomes.md, "Who may repeat it"). */
const RETRY_ADVICE: Readonly<Record<RetryClass, string>> = {
  never: 'do not repeat it: the same request fails the same way',
  safe: 'it may be repeated: it was not executed',
  only_if_idempotent: 'repeat it only if it is idempotent: it may have been executed',
  after_fix: 'repeat it only after something was changed: the same request fails the same way',
};

/** Why a row came out as it did, in one line; empty where there is nothing to say. */
export function reasonText(exchange: Exchange, { say }: Pick<AgentSource, 'say'>): string {
  const { failure, verdict } = exchange;
  const [signal] = verdict?.signals ?? [];
  const texts = [
    ...(signal === undefined ? [] : [say(signal.code, signal.args)]),
    ...(failure === undefined || failure.message === '' ? [] : [`${failure.reason}: ${failure.message}`]),
  ];
  return safeLine(texts.join(' '), MAX_SENTENCE);
}

/** Everything that led to the verdict, a line each. */
export function whyLines(exchange: Exchange, { say }: Pick<AgentSource, 'say'>): readonly string[] {
  const { verdict, failure, anomalies = [], injected = [] } = exchange;
  const place = (pointer: string | undefined) =>
    pointer === undefined || pointer === '' ? '' : ` (at ${safeLine(pointer, 200)})`;
  const missing = verdict?.partial?.missing ?? [];
  return [
    ...injected.map(
      ({ fault }) => `- Faultline injected a fault on purpose (${fault}): do not put this down to the server.`,
    ),
    ...(verdict?.signals ?? []).map(
      ({ code, args, strength, pointer }) =>
        `- ${safeLine(say(code, args), MAX_SENTENCE)} [${strength}]${place(pointer)}`,
    ),
    ...missing.slice(0, MAX_MISSING).map((item) => `- missing: ${safeLine(item, 200)}`),
    ...(missing.length > MAX_MISSING ? [`- … and ${missing.length - MAX_MISSING} more are missing`] : []),
    ...(failure === undefined ? [] : [`- ${failure.reason}: ${safeLine(failure.message, MAX_SENTENCE)}`]),
    ...(failure?.exitCode == null ? [] : [`- exit code ${failure.exitCode}`]),
    ...(failure?.exitSignal == null ? [] : [`- ended by signal ${safeLine(failure.exitSignal, 40)}`]),
    ...(failure?.status === undefined ? [] : [`- HTTP status ${failure.status}`]),
    ...anomalies.map(
      ({ code, args, severity, pointer }) =>
        `- beside it, ${severity}: ${safeLine(say(`anomaly.${code}`, args), MAX_SENTENCE)} ${safeLine(say(`anomaly.${code}.remedy`, args), MAX_SENTENCE)}${place(pointer)}`,
    ),
    ...(verdict !== undefined && FAILURE_KINDS.has(verdict.outcome) ? [`- retry: ${RETRY_ADVICE[verdict.retry]}`] : []),
  ];
}
