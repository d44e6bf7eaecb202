import { randomBytes } from 'node:crypto';
import path from 'node:path';
import process from 'node:process';
import { messageOf } from '../../base/messageOf.ts';
import { systemClock } from '../../base/systemClock.ts';
import { formatText } from '../../base/text.ts';
import { Correlator } from '../../core/classify/correlate.ts';
import { judge } from '../../core/classify/judge.ts';
import { createBugReport } from '../../core/export/bugReportBundle.ts';
import { chosenEvents } from '../../core/export/chosenEvents.ts';
import { writeHar } from '../../core/export/har.ts';
import { SESSION_FORMAT, type SessionEntry, writeSession } from '../../core/export/sessionFile.ts';
import type { SessionSummary } from '../../core/export/sessionIndex.ts';
import { writeWhole } from '../../core/export/writeWhole.ts';
import { EventRedaction } from '../../core/log/redact/redactEvent.ts';
import { Redactor } from '../../core/log/redact/redactor.ts';
import type { LogEvent } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import type { OutcomeKind } from '../../protocol/outcome.ts';
import { TEXTS } from '../../protocol/texts.ts';
import { VERSION } from '../../protocol/version.ts';
import { readFilter } from '../exchangeFilter.ts';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import type { OtlpExportOptions } from '../otlpExport.ts';
import { openTarget, type Target } from '../recorded.ts';
import type { Terminal } from '../terminal.ts';

export interface ExportOptions extends OtlpExportOptions {
  readonly log?: string;
  readonly format: 'jsonl' | 'har' | 'bug-report';
  /** File to write; stdout when absent, which a bug report, of two files, cannot be written to. */
  readonly output?: string;
  /** Replace secrets once more; a bug report does so in any case. */
  readonly redact: boolean;
  /** In the language of the timeline's filter: only exchanges that pass, with what is needed to project them again. */
  readonly filter?: string;
  /** Of a bug report: exchanges that ended so; all when absent. */
  readonly outcome?: readonly OutcomeKind[];
  /** Export to OpenTelemetry instead of writing a file. */
  readonly otlp?: boolean;
}

/** `faultline export`: writes recorded events as a session file, as HAR, or as a bug report, or exports them to OpenTelemetry. */
export async function exportRecorded(
  wanted: string | undefined,
  options: ExportOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { format, output } = options;
  if (format === 'bug-report' && output === undefined) {
    terminal.err('faultline: a bug report is two files, so name one by --output\n');
    return exitCodes.failed;
  }
  const read = readFilter(options.filter, systemClock.wallUs());
  if ('problem' in read) {
    terminal.err(`faultline: ${read.problem}\n`);
    return exitCodes.failed;
  }
  const target = await openTarget(wanted, options.log, terminal);
  if ('problem' in target) {
    terminal.err(`faultline: ${target.problem}\n`);
    return exitCodes.failed;
  }
  try {
    const file = output === undefined ? undefined : path.resolve(terminal.cwd, output);
    const passing = await read.filter?.passingOf(target.events());
    if (options.otlp === true) {
      const { exportToOtlp } = await import('../otlpExport.ts');
      const instance =
        target.sessions.length === 1 ? (target.sessions[0]?.id ?? '') : path.basename(target.recorded.path);
      const code = await exportToOtlp(target.events(), { instance, keys: passing?.keys }, options, terminal);
      return target.recorded.hasProblems ? exitCodes.failed : code;
    }
    if (format === 'bug-report') {
      await writeBugReport(target, file ?? '', options, passing?.keys);
    } else {
      const chosen = passing === undefined ? target : chosenOf(target, passing);
      await write(
        format === 'har' ? writeHar(eventsOf(chosen, options), VERSION) : sessionOf(chosen, options),
        file,
        terminal,
      );
    }
    return target.recorded.hasProblems ? exitCodes.failed : exitCodes.clean;
  } catch (error) {
    terminal.err(`faultline: nothing was exported: ${messageOf(error)}\n`);
    return exitCodes.failed;
  } finally {
    target.recorded.close();
  }
}

function eventsOf({ events }: Target, { redact }: ExportOptions): AsyncIterable<LogEvent> {
  return redact ? redacted(events()) : events();
}

function sessionOf(target: Target, options: ExportOptions): AsyncIterable<string> {
  return writeSession(
    {
      faultlineSession: SESSION_FORMAT,
      exportedAt: now(),
      faultline: VERSION,
      sessions: target.sessions.map(entryOf),
      redacted: options.redact,
      leftOut: [],
    },
    eventsOf(target, options),
  );
}

/** The target with the events alone that the exchanges which pass are projected from. */
function chosenOf(
  target: Target,
  { all, keys }: { readonly all: readonly Exchange[]; readonly keys: ReadonlySet<number> },
): Target {
  const isChosen = chosenEvents(
    all.filter(({ key }) => keys.has(key)),
    all,
  );
  return {
    ...target,
    async *events() {
      for await (const event of target.events()) {
        if (isChosen(event)) {
          yield event;
        }
      }
    },
  };
}

async function writeBugReport(
  { sessions, events }: Target,
  file: string,
  { outcome }: ExportOptions,
  keys: ReadonlySet<number> | undefined,
): Promise<void> {
  const { dir, name } = path.parse(file);
  const sessionFile = path.join(dir, `${name}.faultline.jsonl`);
  const bundle = await createBugReport({
    events,
    createProjector: () => new Correlator(judge),
    isWanted: ({ key, verdict }) =>
      keys?.has(key) !== false && (outcome === undefined || outcome.includes(verdict?.outcome ?? 'pending')),
    redact: freshRedaction(),
    say: (code, args) => formatText(TEXTS[code] ?? code, args),
    version: VERSION,
    exportedAt: now(),
    environment: `${process.platform} ${process.arch}, Node.js ${process.versions.node}`,
    sessions: sessions.map(entryOf),
    sessionFile: path.basename(sessionFile),
  });
  await writeWhole(bundle.session, sessionFile);
  await writeWhole([bundle.html()], file);
}

async function write(pieces: AsyncIterable<string>, file: string | undefined, terminal: Terminal): Promise<void> {
  if (file !== undefined) {
    await writeWhole(pieces, file);
    return;
  }
  for await (const piece of pieces) {
    await terminal.out(piece);
  }
}

/** Replaces secrets by the rules of now: what was recorded was redacted by those of then. */
function freshRedaction(): (event: LogEvent) => LogEvent {
  const redaction = new EventRedaction(new Redactor(randomBytes(32)));
  return (event) => ({ ...redaction.redact(event), seq: event.seq });
}

async function* redacted(events: AsyncIterable<LogEvent>): AsyncGenerator<LogEvent, void, undefined> {
  const redact = freshRedaction();
  for await (const event of events) {
    yield redact(event);
  }
}

function now(): string {
  return new Date(systemClock.wallUs() / 1000).toISOString();
}

function entryOf({ id, name, pinned }: SessionSummary): SessionEntry {
  return { id, ...(name === undefined ? {} : { name }), ...(pinned ? { pinned } : {}) };
}
