import path from 'node:path';
import process from 'node:process';
import { systemClock } from '../../base/systemClock.ts';
import { formatText } from '../../base/text.ts';
import { createRecorderThread, type RecorderThread } from '../../core/passthrough/recorderThread.ts';
import type { SessionId } from '../../protocol/events.ts';
import { logTexts } from '../../protocol/texts/log.ts';
import { otlpTexts } from '../../protocol/texts/otlp.ts';
import { tapRecorderPath } from '../assets.ts';
import type { TapRecord } from './tapUsage.ts';

/**
 * How long what has passed may take to be recorded, and exported, once all is over, ms. It takes a fraction of a second, but
 * the thread comes after everything else on a busy machine, and what it has not written is lost. A client that is in a hurry
 * may cut it short by a signal.
 */
const CLOSE_MS = 10_000;

/** The thread that records, not started yet. */
export function openRecorder(
  { log, session, server, otlp }: TapRecord,
  transport: 'stdio' | 'http',
  fallbackServer: string,
): RecorderThread {
  const cwd = process.cwd();
  return createRecorderThread({
    script: tapRecorderPath(),
    settings: {
      log: log === undefined ? undefined : path.resolve(cwd, log),
      cwd,
      session: (session ?? ownSession()) as SessionId,
      server,
      fallbackServer,
      transport,
      otlp,
    },
    clock: systemClock,
    onProblem: (code, detail) => {
      const texts: Readonly<Record<string, string>> = { ...logTexts, ...otlpTexts };
      complain(formatText(texts[code] ?? code, { detail }));
    },
  });
}

/** Writes what waits and ends the thread; says so when not all could be written. */
export async function closeRecorder(recorder: RecorderThread): Promise<void> {
  if (!(await recorder.close(CLOSE_MS))) {
    complain('not everything that passed could be recorded');
  }
}

/** On stderr, where clients look for what a server has to say beside its messages. */
export function complain(text: string): void {
  process.stderr.write(`faultline tap: ${text}\n`);
}

/** One of no other run on this machine. Without `node:crypto`, which would take 2 MB for it. */
function ownSession(): string {
  return `tap-${Date.now().toString(36)}-${process.pid}`;
}
