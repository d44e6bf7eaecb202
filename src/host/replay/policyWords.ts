import * as vscode from 'vscode';
import { policyPreview, type WaitRange } from '../../core/replay/policyPreview.ts';
import { type PolicyNumber, type PolicyPreset, REPEATABLE_OUTCOMES } from '../../core/replay/replayPolicy.ts';
import type { ReplayPolicy } from '../../core/resilience/policy.ts';
import type { OutcomeKind } from '../../protocol/outcome.ts';
import { retrySettings } from '../servers/serverService.ts';
import { outcomeNames } from '../timeline/pageStrings.ts';

const { t } = vscode.l10n;

/** Waits that are told one by one; of more, the last alone. */
const TOLD_WAITS = 4;

export const presetNames: Readonly<Record<PolicyPreset, string>> = {
  configured: t('As Configured'),
  none: t('No Repetition'),
  gentle: t('Gentle'),
  persistent: t('Persistent'),
};

/** What each number of a policy is called, and what it does. */
export const numberNames: Readonly<Record<PolicyNumber, { readonly name: string; readonly about: string }>> = {
  maxAttempts: { name: t('Attempts'), about: t('How often the call is sent at most, the first time included') },
  baseMs: { name: t('First Wait'), about: t('Before the second attempt') },
  factor: { name: t('Growth'), about: t('By how much each wait is longer than the one before') },
  capMs: { name: t('Longest Wait'), about: t('No wait grows beyond this') },
  jitter: { name: t('Jitter'), about: t('The share of each wait that is left to chance') },
  retryAfterCapMs: {
    name: t('Longest Retry-After'),
    about: t('A wait that the server asks for is kept up to this; for a longer one the replay gives up'),
  },
  timeoutMs: { name: t('Timeout'), about: t('Silence after which an attempt is given up') },
};

/** A time in the unit that it is read best in. */
export function timeText(ms: number): string {
  const number = (value: number, digits: number) =>
    new Intl.NumberFormat(vscode.env.language, { maximumFractionDigits: digits }).format(value);
  if (ms < 1000) {
    return t('{0} ms', number(ms, 0));
  }
  if (ms < 60_000) {
    return t('{0} s', number(ms / 1000, 1));
  }
  const minutes = Math.round(ms / 60_000);
  const seconds = Math.round(ms / 1000) % 60;
  if (ms < 3_600_000) {
    return seconds === 0
      ? t('{0} min', number(Math.floor(ms / 60_000), 0))
      : t('{0} min {1} s', number(Math.floor(ms / 60_000), 0), number(seconds, 0));
  }
  return t('{0} h {1} min', number(Math.floor(minutes / 60), 0), number(minutes % 60, 0));
}

/** A number of a policy in words. */
export function numberText(name: PolicyNumber, value: number): string {
  if (name.endsWith('Ms')) {
    return timeText(value);
  }
  const style: Intl.NumberFormatOptions = name === 'jitter' ? { style: 'percent' } : { maximumFractionDigits: 3 };
  const text = new Intl.NumberFormat(vscode.env.language, style).format(value);
  return name === 'factor' ? `× ${text}` : text;
}

/** The outcomes that a policy repeats, by name. */
export function outcomesText(kinds: readonly OutcomeKind[]): string {
  if (REPEATABLE_OUTCOMES.every((kind) => kinds.includes(kind))) {
    return t('any failure');
  }
  return kinds.length === 0 ? t('nothing') : kinds.map((kind) => outcomeNames[kind]).join(', ');
}

/** The waits that a policy leads to; a wait that chance decides as a range. `isWhole`: each of them. */
function waitsText(waits: readonly WaitRange[], isWhole = false): string {
  const told = isWhole || waits.length <= TOLD_WAITS ? waits : waits.slice(0, TOLD_WAITS - 1);
  const last = waits.at(-1);
  const more = told.length < waits.length && last !== undefined ? ['…', rangeText(last)] : [];
  return [...told.map(rangeText), ...more].join(', ').replace(', …, ', ' … ');
}

/** What a policy leads to, in one line. */
export function previewText(policy: ReplayPolicy, isWhole = false): string {
  const { attempts, waits, silentMs } = policyPreview(policy, retrySettings());
  const longest = t('at most {0} if the server stays silent', timeText(silentMs));
  if (attempts === 1 || policy.retryOn.length === 0) {
    return [t('sent once'), t('at most {0} if the server stays silent', timeText(policy.timeoutMs))].join(' · ');
  }
  return [t('{0} attempts', attempts), t('waits {0}', waitsText(waits, isWhole)), longest].join(' · ');
}

/** The longest that the attempts and waits of a policy can take. */
export function longestText(policy: ReplayPolicy): string {
  const { longestMs } = policyPreview(policy, retrySettings());
  return t('at most {0} with progress and Retry-After', timeText(longestMs));
}

function rangeText({ minMs, maxMs }: WaitRange): string {
  if (minMs === maxMs || maxMs >= 60_000) {
    return minMs === maxMs ? timeText(maxMs) : `${timeText(minMs)} – ${timeText(maxMs)}`;
  }
  const { format } = new Intl.NumberFormat(vscode.env.language, { maximumFractionDigits: 2 });
  return maxMs < 1000
    ? t('{0} ms', `${format(minMs)}–${format(maxMs)}`)
    : t('{0} s', `${format(minMs / 1000)}–${format(maxMs / 1000)}`);
}
