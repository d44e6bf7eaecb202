import { assertNever } from '../../base/assertNever.ts';
import { safeLine } from '../../base/safeText.ts';
import type { SessionSummary } from '../../core/export/sessionIndex.ts';
import type { EventLog } from '../../core/log/eventLog.ts';
import type { SessionId } from '../../protocol/events.ts';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import { openRecorded, openTarget } from '../recorded.ts';
import type { Terminal } from '../terminal.ts';

export interface SessionsOptions {
  readonly log?: string;
  readonly format: 'text' | 'json';
}

/** `faultline sessions`: lists what is recorded, oldest first. */
export async function listSessions(options: SessionsOptions, terminal: Terminal): Promise<ExitCode> {
  const recorded = await openRecorded(options.log, terminal);
  if ('problem' in recorded) {
    terminal.err(`faultline: ${recorded.problem}\n`);
    return exitCodes.failed;
  }
  try {
    for (const session of await recorded.sessions()) {
      await terminal.out(options.format === 'json' ? `${JSON.stringify(session)}\n` : asText(session, terminal));
    }
    return recorded.hasProblems ? exitCodes.failed : exitCodes.clean;
  } finally {
    recorded.close();
  }
}

/** A change of a session that a person has asked for, by the command's word for it. */
export type SessionChange =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'pin' | 'unpin' | 'delete' };

/** `faultline sessions name|pin|unpin|delete`: changes one session of a log. */
export async function changeSession(
  wanted: string,
  change: SessionChange,
  { log: file }: Pick<SessionsOptions, 'log'>,
  terminal: Terminal,
): Promise<ExitCode> {
  const target = await openTarget(wanted, file, terminal);
  if ('problem' in target) {
    terminal.err(`faultline: ${target.problem}\n`);
    return exitCodes.failed;
  }
  const { recorded, sessions } = target;
  const [session] = sessions;
  try {
    if (recorded.log === undefined || session === undefined) {
      terminal.err('faultline: a session file is not changed; export it anew or delete it\n');
      return exitCodes.failed;
    }
    if (!apply(recorded.log, session.id, change)) {
      terminal.err(`faultline: ${safeLine(session.id, 100)} was not changed: the log is in use, try again\n`);
      return exitCodes.failed;
    }
    return exitCodes.clean;
  } finally {
    recorded.close();
  }
}

function apply(log: EventLog, id: SessionId, change: SessionChange): boolean {
  switch (change.kind) {
    case 'name':
      return log.nameSession(id, change.name === '' ? undefined : change.name);
    case 'pin':
      return log.pinSession(id, true);
    case 'unpin':
      return log.pinSession(id, false);
    case 'delete':
      return log.deleteSession(id);
    default:
      return assertNever(change);
  }
}

function asText({ id, name, pinned, firstUs, lastUs, events, bytes }: SessionSummary, { style }: Terminal): string {
  const title = `${style('bold', safeLine(id, 100))}${name === undefined ? '' : ` ${safeLine(name, 100)}`}`;
  const pin = pinned ? ` ${style('yellow', 'pinned')}` : '';
  const counts = `${events} events, ${bytes} bytes`;
  return `${title}${pin}  ${style('dim', `${time(firstUs)} to ${time(lastUs)}, ${counts}`)}\n`;
}

/** ISO 8601 to the second; as it is when it is no time. */
function time(us: number): string {
  const date = new Date(us / 1000);
  return Number.isNaN(date.getTime()) ? String(us) : `${date.toISOString().slice(0, 19)}Z`;
}
