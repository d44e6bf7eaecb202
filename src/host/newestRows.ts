import type { Correlator } from '../core/classify/correlate.ts';
import type { LogEvent } from '../protocol/events.ts';
import type { Exchange } from '../protocol/exchange.ts';

/** Up to so many events all are projected before anything is shown: less than a tenth of a second of work. */
export const EVENTS_AT_ONCE = 4000;

/** Of more, the newest so many are shown before the others: some screens full, in a few hundredths of a second. */
export const NEWEST_EVENTS = 1500;

/** How far the reading of a long log has come. */
export interface Reading {
  readonly done: number;
  readonly of: number;
}

/**
 * Projects the end of a log without what came before it. An answer whose question came before is left out, and so is what
 * only looks unusual when one has not seen the beginning: better nothing for a while than something that is not so.
 */
export function projectNewest(correlator: Correlator, events: readonly LogEvent[]): readonly Exchange[] {
  return events.flatMap((event) =>
    correlator.push(event).flatMap(({ anomalies: _, ...exchange }) => (isStray(exchange) ? [] : [exchange])),
  );
}

function isStray({ kind, verdict }: Exchange): boolean {
  return kind === 'connection' || verdict?.signals.some(({ code }) => code === 'signal.invalid.unknownId') === true;
}
