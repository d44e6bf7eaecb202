import type { ChildProcess } from 'node:child_process';
import process from 'node:process';
import type { Readable, Transform, Writable } from 'node:stream';
import spawn from 'cross-spawn';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { TransportFailure } from '../../protocol/events.ts';
import { searchPathOf } from '../transport/environment.ts';
import { explainSpawn } from '../transport/spawnFailure.ts';
import type { StdioFaultHooks, StdioFaults } from './faults/stdioFaults.ts';
import { forward } from './forward.ts';
import type { Channel } from './passage.ts';
import type { StandardStreams } from './standardStreams.ts';
import type { Tape } from './tape.ts';

export interface StdioTapOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly streams: StandardStreams;
  readonly tape: Tape;
  readonly clock: Clock;
  /** Faults that are injected on purpose. Without them nothing stands between the streams; see `forward`. */
  readonly faults?: ((hooks: StdioFaultHooks) => StdioFaults) | undefined;
  /** Called when the server has been started, or could not be. */
  readonly onStarted?: () => void;
  /** How long output may stay silent, held open by somebody else, after the server has exited. Default 1,000. */
  readonly lingerMs?: number;
}

/** How the server ended, which is how the tap has to end. */
export type StdioTapEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'not-started'; readonly failure: TransportFailure };

/** What somebody may send a server to end it or to tell it something. SIGKILL and SIGSTOP cannot be passed on. */
const PASSED_SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];
/** Those that a terminal sends to the server as well. */
const TERMINAL_SIGNALS: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGQUIT']);

/**
 * Runs a server between this process's standard streams, in its place: every byte, end of stream, signal and exit code goes
 * on as it came, and is told to the tape afterwards. Resolves when the server is gone and its output has been taken; never
 * rejects.
 */
export function runStdioTap(options: StdioTapOptions): Promise<StdioTapEnd> {
  const { command, args, streams, tape, clock, lingerMs = 1000 } = options;
  tape.happened(0, { fact: 'lifecycle', detail: { step: 'spawn', command, args, cwd: process.cwd() } });
  return new Promise((resolve) => {
    const notStarted = (error: unknown) => {
      const failure = explainSpawn(error, { command, searchPath: searchPathOf(process.env) });
      tape.happened(0, { fact: 'lifecycle', detail: { step: 'failed', failure, durationUs: 0 } });
      options.onStarted?.();
      resolve({ kind: 'not-started', failure });
    };
    let child: ChildProcess;
    try {
      // In this process's own group, where a server that is not tapped would be.
      child = spawn(command, args, { stdio: 'pipe', shell: false, windowsHide: true });
    } catch (error) {
      notStarted(error);
      return;
    }
    const { pid, stdin, stdout, stderr } = child;
    if (pid === undefined || stdin === null || stdout === null || stderr === null) {
      child.once('error', notStarted);
      return;
    }
    // A failed kill, or Windows's late word on a command that was not found: `close` follows.
    child.on('error', () => undefined);
    tape.happened(0, { fact: 'lifecycle', detail: { step: 'started', pid } });

    /** Somebody has asked for the end. */
    let isWanted = false;
    const pass = (channel: Channel, source: Readable, target: Writable, through?: Transform) => {
      // What faults are made of may be written twice, so that its memory is not ours to take.
      const isSpent = through === undefined ? () => target.writableLength === 0 : undefined;
      forward(source, target, { onPassed: (chunk) => tape.passed(channel, 0, chunk, isSpent), through });
    };
    const faults = options.faults?.({
      note: (note) => tape.happened(0, { fact: 'injected', note }),
      kill: () => child.kill('SIGKILL'),
    });
    const output = faults?.received ?? stdout;
    pass('sent', streams.stdin, stdin);
    pass('received', stdout, streams.stdout, faults?.received);
    if (faults !== undefined) {
      // After `pass`, so that a request is on record before what is done to it.
      streams.stdin.on('data', faults.sent);
      // `pipe` ends its target at the end of its source only, and a server may be let go of before.
      stdout.once('close', () => faults.received.end());
    }
    pass('stderr', stderr, streams.stderr);
    streams.stdin.once('end', () => {
      isWanted = true;
      tape.happened(0, { fact: 'end', channel: 'sent' });
      tape.happened(0, { fact: 'lifecycle', detail: { step: 'shutdown', action: 'stdin-closed' } });
    });
    const outputEnded = (which: 'stdout' | 'stderr', channel: Channel) => () => {
      tape.happened(0, { fact: 'end', channel });
      streams.closeOutput(which);
    };
    output.once('end', outputEnded('stdout', 'received'));
    stderr.once('end', outputEnded('stderr', 'stderr'));
    // Whoever does not read any more is known to the other side, as it would be without us.
    stdin.on('error', () => streams.closeStdin());
    streams.stdin.on('error', () => stdin.end());
    streams.stdout.on('error', () => {
      stdout.destroy();
      faults?.received.destroy();
    });
    streams.stderr.on('error', () => stderr.destroy());
    options.onStarted?.();

    const signals = passSignals(child, streams.isTerminal, (signal) => {
      isWanted = true;
      if (signal === 'SIGTERM') {
        tape.happened(0, { fact: 'lifecycle', detail: { step: 'shutdown', action: 'sigterm' } });
      }
    });
    let linger: Disposable | undefined;
    child.once('exit', () => {
      linger = whenSilent([stdout, stderr], clock, lingerMs, () => {
        stdout.destroy();
        stderr.destroy();
      });
    });
    child.once('close', (code, signal) => {
      linger?.dispose();
      tape.happened(0, { fact: 'lifecycle', detail: { step: 'exited', code, signal, expected: isWanted } });
      const ended: StdioTapEnd = signal === null ? { kind: 'exited', code: code ?? 1 } : { kind: 'signalled', signal };
      const given = faults === undefined ? (done: () => void) => done() : whenClosed(faults.received);
      given(() =>
        taken(streams.stdout, () => {
          // Many a client never reads stderr, and its last words are not worth waiting for ever.
          const patience = clock.setTimer(lingerMs, () => streams.stderr.destroy());
          taken(streams.stderr, () => {
            patience.dispose();
            signals.dispose();
            resolve(ended);
          });
        }),
      );
    });
  });
}

/** Calls back when a stream of faults has let go of the last that it held back. */
function whenClosed(stream: Transform): (done: () => void) => void {
  return (done) => {
    if (stream.closed) {
      done();
    } else {
      stream.once('close', done);
    }
  };
}

/** Calls back when all that was written has been taken, or nobody is there to take it. */
function taken(output: StandardStreams['stdout'], done: () => void): void {
  if (output.writableLength === 0 || output.destroyed || output.errored !== null) {
    done();
    return;
  }
  let isDone = false;
  const once = () => {
    if (!isDone) {
      isDone = true;
      done();
    }
  };
  output.once('error', once).once('close', once);
  // What is written last is taken last.
  output.write('', once);
}

/** Passes on what this process is sent, until disposed of. */
function passSignals(
  child: ChildProcess,
  isTerminal: boolean,
  onSignal: (signal: NodeJS.Signals) => void,
): { dispose(): void } {
  const pass = (signal: NodeJS.Signals) => {
    onSignal(signal);
    if (!(isTerminal && TERMINAL_SIGNALS.has(signal))) {
      child.kill(signal);
    }
  };
  for (const signal of PASSED_SIGNALS) {
    process.on(signal, pass);
  }
  return {
    dispose() {
      for (const signal of PASSED_SIGNALS) {
        process.removeListener(signal, pass);
      }
    },
  };
}

/** Calls back once the streams have said nothing for `ms`; their reader may be what is slow, which is not silence. */
function whenSilent(streams: readonly Readable[], clock: Clock, ms: number, done: () => void): Disposable {
  let timer = clock.setTimer(ms, () => undefined);
  const again = () => {
    timer.dispose();
    timer = clock.setTimer(ms, () => (streams.some((stream) => stream.readableLength > 0) ? again() : done()));
  };
  for (const stream of streams) {
    stream.on('data', again);
  }
  again();
  return {
    dispose() {
      timer.dispose();
      for (const stream of streams) {
        stream.removeListener('data', again);
      }
    },
  };
}
