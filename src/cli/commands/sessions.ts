import type { SessionSummary } from '../../core/export/sessionIndex.ts';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import { openRecorded } from '../recorded.ts';
import { safeLine } from '../safeText.ts';
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
