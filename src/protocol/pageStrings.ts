import type { DetailsStrings } from './details.ts';
import type { FilterStrings } from './filter.ts';
import type { OutcomeKind } from './outcome.ts';

/** Every sentence of the page, translated by the host. */
export interface PageStrings {
  readonly outcomes: Readonly<Record<OutcomeKind, string>>;
  readonly gridLabel: string;
  readonly columns: {
    readonly time: string;
    readonly server: string;
    readonly call: string;
    readonly outcome: string;
    readonly waterfall: string;
    readonly duration: string;
  };
  readonly tabs: {
    readonly why: string;
    readonly request: string;
    readonly response: string;
    readonly attempts: string;
    readonly stderr: string;
    readonly related: string;
  };
  readonly actions: {
    readonly replay: string;
    readonly copyJson: string;
    readonly goToToolSource: string;
    readonly close: string;
    readonly openDocument: string;
    readonly follow: string;
    readonly runDemo: string;
    readonly connectAll: string;
    readonly manageTrust: string;
    readonly openInEditor: string;
  };
  readonly empty: {
    readonly title: string;
    readonly body: string;
    /** In place of `body` in a workspace that is not trusted. */
    readonly untrusted: string;
    readonly filtered: string;
    readonly clearFilter: string;
  };
  readonly outcomeToggles: string;
  readonly filterPlaceholder: string;
  readonly filter: FilterStrings;
  /** "{shown} of {recorded}". */
  readonly shownOf: string;
  readonly retried: string;
  readonly retryQuestion: string;
  readonly missing: string;
  /** Over the list of anomalies. */
  readonly unusual?: string;
  readonly details: DetailsStrings;
  readonly truncated: string;
  readonly pending: string;
  /** "New failure: {what}". */
  readonly announceFailure: string;
  /** "{shown} of {recorded} rows". */
  readonly announceFiltered: string;
  readonly expand: string;
  readonly collapse: string;
  readonly inMemory: string;
  readonly overview: OverviewStrings;
}

/** Of the overview, the lanes and the charts. */
export interface OverviewStrings {
  readonly label: string;
  /** How it is used by keyboard, for whoever cannot see it. */
  readonly help: string;
  /** "{from} to {to}: {what}". */
  readonly bucket: string;
  /** "nothing". */
  readonly nothing: string;
  /** "{count} calls". */
  readonly calls: string;
  /** "{count} {outcome}". */
  readonly some: string;
  /** "{what}, {failed} failed, from {from} to {to}". */
  readonly summary: string;
  readonly clearRange: string;
  /** "{duration} idle". */
  readonly idle: string;
  readonly lanes: string;
  readonly lanesLabel: string;
  readonly allServers: string;
  /** "Show only {server}". */
  readonly onlyServer: string;
  /** "{failed} of {count} failed". */
  readonly failedOf: string;
  readonly charts: string;
  readonly overTime: string;
  readonly latency: string;
  readonly passed: string;
  readonly failed: string;
  readonly time: string;
  readonly duration: string;
  /** "{from} to {to}". */
  readonly between: string;
  /** "{from} or more". */
  readonly orMore: string;
  readonly noLatency: string;
  /** "A part of the page could not be loaded: {why}". */
  readonly partFailed: string;
}
