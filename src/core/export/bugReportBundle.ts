import type { TextArgs } from '../../base/text.ts';
import type { LogEvent } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { bugReportHtml, SHOWN_EXCHANGES } from './bugReport.ts';
import { chosenEvents } from './chosenEvents.ts';
import { createOutgoing, type RedactEvent } from './outgoing.ts';
import { LEFT_OUT_KINDS, SESSION_FORMAT, type SessionEntry, writeSession } from './sessionFile.ts';

/** Longest message that goes out whole, UTF-16 code units. */
const MAX_PAYLOAD_LENGTH = 64 * 1024;

/** What projects events to exchanges: the correlator, which this folder does not know. */
export interface Projector {
  push(event: LogEvent): readonly Exchange[];
}

export interface BundleOptions {
  /** The recorded events from the beginning; asked for twice. */
  events(): AsyncIterable<LogEvent> | Iterable<LogEvent>;
  createProjector(): Projector;
  /** Is this exchange, as it ended, one that the report is about? */
  isWanted(exchange: Exchange): boolean;
  readonly redact: RedactEvent;
  say(code: string, args?: TextArgs): string;
  readonly version: string;
  readonly exportedAt: string;
  readonly environment: string;
  readonly sessions: readonly SessionEntry[];
  /** Name of the session file. */
  readonly sessionFile: string;
}

/** The two files of a bug report; `html` is there once `session` was read to its end. */
export interface Bundle {
  readonly session: AsyncIterable<string>;
  html(): string;
}

/**
 * Makes a bug report of the wanted exchanges: what is needed to project them again, with secrets replaced and without
 * what is private or large, and a page that shows their projection from just that. Rejects only when `events` does.
 */
export async function createBugReport(options: BundleOptions): Promise<Bundle> {
  const all = await project(options.events(), options.createProjector());
  const wanted = [...all.values()].filter(options.isWanted);
  const wantedKeys = new Set(wanted.map(({ key }) => key));
  const outgoing = createOutgoing({
    redact: options.redact,
    isChosen: chosenEvents(wanted, all.values()),
    maxPayloadLength: MAX_PAYLOAD_LENGTH,
  });
  const shownSeqs = new Set(
    wanted.slice(0, SHOWN_EXCHANGES).flatMap(({ key, endSeq }) => [Math.floor(key), Math.floor(endSeq ?? key)]),
  );
  const projector = options.createProjector();
  const projected = new Map<number, Exchange>();
  const shown = new Map<number, LogEvent>();

  async function* passed() {
    for await (const event of options.events()) {
      const passing = outgoing.pass(event);
      if (passing === undefined) {
        continue;
      }
      for (const exchange of projector.push(passing)) {
        projected.set(exchange.key, exchange);
      }
      if (shownSeqs.has(passing.seq)) {
        shown.set(passing.seq, passing);
      }
      yield passing;
    }
  }

  return {
    session: writeSession(
      {
        faultlineSession: SESSION_FORMAT,
        exportedAt: options.exportedAt,
        faultline: options.version,
        sessions: options.sessions,
        redacted: true,
        leftOut: LEFT_OUT_KINDS,
      },
      passed(),
      () => outgoing.counts(),
    ),
    html: () =>
      bugReportHtml({
        ...options,
        exchanges: inOrder([...projected.values()].filter(({ key }) => wantedKeys.has(key))),
        eventAt: (seq) => shown.get(seq),
        leftOut: outgoing.counts(),
      }),
  };
}

/** The last snapshot of each exchange, by key. Rejects only when `events` does. */
export async function project(
  events: AsyncIterable<LogEvent> | Iterable<LogEvent>,
  projector: Projector,
): Promise<ReadonlyMap<number, Exchange>> {
  const last = new Map<number, Exchange>();
  for await (const event of events) {
    for (const exchange of projector.push(event)) {
      last.set(exchange.key, exchange);
    }
  }
  return last;
}

/** Exchanges by ascending key: that is the order in which they began. */
export function inOrder(exchanges: readonly Exchange[]): readonly Exchange[] {
  return [...exchanges].sort((a, b) => a.key - b.key);
}
