import type { TextArgs } from '../../base/text.ts';
import type { OutcomeKind } from '../../protocol/outcome.ts';
import type { ReplayPolicy, RetrySettings } from '../resilience/policy.ts';
import {
  POLICY_PRESETS,
  POLICY_RANGES,
  type PolicyNumber,
  type PolicyPreset,
  presetPolicy,
  REPEATABLE_OUTCOMES,
} from './replayPolicy.ts';

/** What each word of a written policy sets. */
const WORDS: Readonly<Record<string, PolicyNumber | 'retryOn'>> = {
  attempts: 'maxAttempts',
  base: 'baseMs',
  factor: 'factor',
  cap: 'capMs',
  jitter: 'jitter',
  'retry-after': 'retryAfterCapMs',
  timeout: 'timeoutMs',
  repeat: 'retryOn',
};

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A problem with a written policy; `code` names a sentence in `protocol/texts.ts`. */
export interface PolicyProblem {
  readonly code: string;
  readonly args: TextArgs;
}

/**
 * Reads a policy as it is written on a command line: the name of a preset, settings such as
 * `attempts=5,base=500ms,repeat=timeout|tool_error`, or both, the name first. Never throws.
 */
export function parsePolicy(
  text: string,
  settings: RetrySettings,
): { readonly policy: ReplayPolicy } | { readonly problem: PolicyProblem } {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const [first = ''] = parts;
  const isNamed = !first.includes('=') && parts.length > 0;
  const preset = isNamed ? POLICY_PRESETS.find((name) => name === first) : 'configured';
  if (preset === undefined) {
    return { problem: { code: 'policy.unknownPreset', args: { name: first, names: POLICY_PRESETS.join(', ') } } };
  }
  let policy = presetPolicy(preset satisfies PolicyPreset, settings);
  for (const part of isNamed ? parts.slice(1) : parts) {
    const [word = '', value = ''] = part.split('=', 2).map((side) => side.trim());
    const read = readPart(word, value);
    if ('problem' in read) {
      return read;
    }
    policy = { ...policy, ...read.change };
  }
  return { policy };
}

type Part = { readonly change: Partial<ReplayPolicy> } | { readonly problem: PolicyProblem };

function readPart(word: string, value: string): Part {
  const name = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
  if (name === undefined) {
    return { problem: { code: 'policy.unknownWord', args: { word, words: Object.keys(WORDS).join(', ') } } };
  }
  if (name === 'retryOn') {
    const kinds = value.split('|').map((kind) => kind.trim());
    const known: readonly string[] = REPEATABLE_OUTCOMES;
    const unknown = kinds.find((kind) => kind !== 'none' && !known.includes(kind));
    return unknown === undefined
      ? { change: { retryOn: kinds.filter((kind) => kind !== 'none') as OutcomeKind[] } }
      : { problem: { code: 'policy.unknownOutcome', args: { name: unknown, names: known.join(', ') } } };
  }
  const number = readNumber(name, value);
  return number === undefined
    ? { problem: { code: 'policy.badNumber', args: { word, value, range: rangeText(name) } } }
    : { change: { [name]: number } };
}

/** A number as a person writes it, `500ms`, `2 s`, `1.5`, of jitter also `50%`; `undefined` when it is none or not in its range. Durations in ms. */
export function readNumber(name: PolicyNumber, text: string): number | undefined {
  const isDuration = name.endsWith('Ms');
  const percent = name === 'jitter' ? /^(\d{1,3}) ?%$/.exec(text.trim())?.[1] : undefined;
  if (percent !== undefined) {
    return Number(percent) <= 100 ? Number(percent) / 100 : undefined;
  }
  const [, digits, unit = ''] = /^(\d{1,9}(?:[.,]\d{1,6})?)\s?(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  if (digits === undefined || (unit !== '' && !isDuration)) {
    return undefined;
  }
  const value = Number(digits.replace(',', '.')) * (UNITS[unit] ?? 1);
  const [least, most] = POLICY_RANGES[name];
  const isWhole = name !== 'maxAttempts' || Number.isInteger(value);
  return value >= least && value <= most && isWhole ? value : undefined;
}

/** What a number of a policy may be, in its own unit. */
export function rangeText(name: PolicyNumber): string {
  const [least, most] = POLICY_RANGES[name];
  return name.endsWith('Ms') ? `${least} ms – ${most} ms` : `${least} – ${most}`;
}
