import * as vscode from 'vscode';
import type { OverviewStrings } from '../../protocol/pageStrings.ts';

const { t } = vscode.l10n;

/** Every sentence of the overview, the lanes and the charts. */
export const overviewStrings: OverviewStrings = {
  label: t('Overview of the calls by time'),
  help: t(
    'Arrow keys move, with Shift they select a time. Plus and minus narrow and widen it, Enter goes to the call, Escape shows all time.',
  ),
  bucket: t('{from} to {to}: {what}'),
  nothing: t('nothing'),
  calls: t('{count} calls'),
  some: t('{count} {outcome}'),
  summary: t('{what}, {failed} failed, from {from} to {to}'),
  clearRange: t('Show all time'),
  idle: t('{duration} idle'),
  lanes: t('Lanes by server'),
  lanesLabel: t('Calls by server and time'),
  allServers: t('All servers'),
  onlyServer: t('Show only {server}'),
  failedOf: t('{failed} of {count} failed'),
  charts: t('Charts'),
  overTime: t('Outcomes over time'),
  latency: t('Latency'),
  passed: t('passed'),
  failed: t('failed'),
  time: t('Time'),
  duration: t('Duration'),
  between: t('{from} to {to}'),
  orMore: t('{from} or more'),
  noLatency: t('No call has ended yet.'),
  partFailed: t('A part of the page could not be loaded: {why}'),
};
