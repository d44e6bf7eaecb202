import type { EventLog } from '../../src/core/log/eventLog.ts';
import type { LogEvent } from '../../src/protocol/events.ts';

const PAGE = 1000;

/**
 * Keeps account of what a log has told: every event once, in order, and what is not there declared. What a tap gave is whatever
 * is no note of the log itself.
 */
export function createBooks() {
  let lastSeq = 0;
  let toldOfTap = 0;
  let lost = 0;
  let outOfOrder = 0;
  let missed = 0;

  return {
    get toldOfTap() {
      return toldOfTap;
    },
    /** `seq`s that were passed over: gone before they could be told. */
    get missed() {
      return missed;
    },
    /** Events that a gap declares. */
    get lost() {
      return lost;
    },
    told(events: readonly LogEvent[]): void {
      for (const { seq, body } of events) {
        outOfOrder += seq <= lastSeq ? 1 : 0;
        missed += Math.max(0, seq - lastSeq - 1);
        lastSeq = Math.max(seq, lastSeq);
        if (body.kind === 'note' && body.note.type === 'gap') {
          lost += body.note.events;
        } else if (body.kind !== 'note' || body.note.type !== 'evicted') {
          toldOfTap += 1;
        }
      }
    },
    /** Events that the log says to have let go. */
    evictedIn(log: Pick<EventLog, 'read'>): number {
      let evicted = 0;
      for (let from = 1; ; ) {
        const events = log.read({ from, limit: PAGE });
        for (const { body } of events) {
          evicted += body.kind === 'note' && body.note.type === 'evicted' ? body.note.events : 0;
        }
        from = (events.at(-1)?.seq ?? from) + 1;
        if (events.length < PAGE) {
          return evicted;
        }
      }
    },
    problems(sums: {
      readonly offered: number;
      readonly kept: number;
      readonly evicted: number;
      readonly lastSeq: number;
    }): readonly string[] {
      const { offered, kept, evicted } = sums;
      const untold = offered - toldOfTap - lost;
      return [
        ...(outOfOrder > 0 ? [`${outOfOrder} events were told out of order or twice`] : []),
        // What a tap lets go before the window looks is declared as gone, or it is lost.
        ...(missed > evicted ? [`${missed} events were never told, and ${evicted} are declared as gone`] : []),
        ...(untold >= 0 && untold <= missed
          ? []
          : [`${offered} events passed the tap, ${toldOfTap} were told and ${lost} declared as lost`]),
        ...(kept + evicted === sums.lastSeq
          ? []
          : [`${kept} events are kept and ${evicted} declared as gone, of ${sums.lastSeq}`]),
      ];
    },
  };
}
