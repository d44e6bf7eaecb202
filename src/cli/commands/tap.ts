import { randomUUID } from 'node:crypto';
import path from 'node:path';
import process from 'node:process';
import { systemClock } from '../../base/systemClock.ts';
import { formatText } from '../../base/text.ts';
import { endAlike } from '../../core/passthrough/endAlike.ts';
import { createRecorderThread, type RecorderThread } from '../../core/passthrough/recorderThread.ts';
import { thisProcessStreams } from '../../core/passthrough/standardStreams.ts';
import { runStdioTap } from '../../core/passthrough/stdioTap.ts';
import type { SessionId } from '../../protocol/events.ts';
import { logTexts } from '../../protocol/texts/log.ts';
import { tapRecorderPath } from '../assets.ts';
import { exitCodes } from '../exitCodes.ts';
import { readTapArgs, TAP_USAGE, type TapRecord, type TapRequest } from './tapUsage.ts';

/** How long what has passed may take to be recorded once all is over, ms. */
const CLOSE_MS = 2000;

/** `faultline tap`: runs until the server or, over HTTP, a signal ends it. Never rejects. */
export async function tap(argv: readonly string[]): Promise<void> {
  const request = readTapArgs(argv, process.env);
  switch (request.kind) {
    case 'help':
      process.stdout.write(TAP_USAGE);
      return;
    case 'wrong':
      complain(`${request.problem}; see faultline tap --help`);
      process.exitCode = exitCodes.failed;
      return;
    case 'stdio':
      await tapStdio(request);
      return;
    case 'http': {
      const { tapHttp } = await import('./tapHttp.ts');
      await tapHttp(request);
    }
  }
}

async function tapStdio({ command, args, record }: Extract<TapRequest, { kind: 'stdio' }>): Promise<void> {
  const recorder = openRecorder(record, 'stdio', nameOfCommand(command, args));
  const end = await runStdioTap({
    command,
    args,
    streams: thisProcessStreams(),
    tape: recorder.tape,
    clock: systemClock,
    // The server's own start comes first.
    onStarted: () => setImmediate(() => recorder.start()),
  });
  if (end.kind === 'not-started') {
    complain(end.failure.message);
  }
  await closeRecorder(recorder);
  endAlike(end);
}

/** The thread that records, not started yet. */
export function openRecorder(
  { log, session, server }: TapRecord,
  transport: 'stdio' | 'http',
  fallbackServer: string,
): RecorderThread {
  const cwd = process.cwd();
  return createRecorderThread({
    script: tapRecorderPath(),
    settings: {
      log: log === undefined ? undefined : path.resolve(cwd, log),
      cwd,
      session: (session ?? randomUUID()) as SessionId,
      server,
      fallbackServer,
      transport,
    },
    clock: systemClock,
    onProblem: (code, detail) => {
      const texts: Readonly<Record<string, string>> = logTexts;
      complain(formatText(texts[code] ?? code, { detail }));
    },
  });
}

export async function closeRecorder(recorder: RecorderThread): Promise<void> {
  if (!(await recorder.close(CLOSE_MS))) {
    complain('not everything that passed could be recorded');
  }
}

/** On stderr, where clients look for what a server has to say beside its messages. */
export function complain(text: string): void {
  process.stderr.write(`faultline tap: ${text}\n`);
}

/** What a person would call a server: its package or script, rather than what runs it. */
function nameOfCommand(command: string, args: readonly string[]): string {
  const runner = path.parse(command).name;
  const script = args.find((arg) => !arg.startsWith('-') && arg !== 'run' && arg !== 'exec');
  const isRunner = /^(?:node|npx|bunx?|deno|pnpm|yarn|npm|uvx?|python[\d.]*|pipx|docker|sh|bash|ruby|php|java)$/i.test(
    runner,
  );
  return isRunner && script !== undefined
    ? path.basename(script).replace(/\.(?:[cm]?[jt]s|py|rb|php|sh)$/i, '')
    : runner;
}
