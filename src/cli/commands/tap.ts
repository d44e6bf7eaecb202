import path from 'node:path';
import process from 'node:process';
import { systemClock } from '../../base/systemClock.ts';
import { endAlike } from '../../core/passthrough/endAlike.ts';
import { thisProcessStreams } from '../../core/passthrough/standardStreams.ts';
import { runStdioTap } from '../../core/passthrough/stdioTap.ts';
import { exitCodes } from '../exitCodes.ts';
import { closeRecorder, complain, openRecorder } from './tapRecording.ts';
import { readTapArgs, TAP_USAGE, type TapRequest } from './tapUsage.ts';

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

async function tapStdio(request: Extract<TapRequest, { kind: 'stdio' }>): Promise<void> {
  const { command, args, record } = request;
  const fallbackServer = nameOfCommand(command, args);
  const faults =
    request.faults === undefined ? undefined : await openFaults(request.faults, 'stdio', record, fallbackServer);
  if (faults === 'wrong') {
    return;
  }
  const recorder = openRecorder(record, 'stdio', fallbackServer);
  const end = await runStdioTap({
    command,
    args,
    streams: thisProcessStreams(),
    tape: recorder.tape,
    clock: systemClock,
    ...(faults === undefined ? {} : { faults: faults.stdio }),
    // The server's own start comes first.
    onStarted: () => setImmediate(() => recorder.start()),
  });
  if (end.kind === 'not-started') {
    complain(end.failure.message);
  }
  await closeRecorder(recorder);
  endAlike(end);
}

/** The module of faults and what it needs is loaded for those who want it only: a tap has to be there at once. */
async function openFaults(...given: Parameters<typeof import('./tapFaults.ts').openTapFaults>) {
  const { openTapFaults } = await import('./tapFaults.ts');
  return openTapFaults(...given);
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
