import { assertNever } from '../../base/assertNever.ts';
import { Emitter } from '../../base/event.ts';
import type { StdioDefinition } from '../../protocol/definition.ts';
import type { LifecycleStep, TransportFailure } from '../../protocol/events.ts';
import type { JsonRpcId } from '../../protocol/jsonrpc.ts';
import { parseFrame } from './envelope.ts';
import { type Environment, mergeEnvironment } from './environment.ts';
import { createLineFramer, type FramedLine } from './lineFramer.ts';
import { createProcessGroup, type ProcessGroup, type ProcessSystem, thisSystem } from './processGroup.ts';
import { createRecorder, type RecorderOptions } from './recorder.ts';
import { type Exit, launch, type ServerProcess } from './serverProcess.ts';
import { shutDown } from './shutdown.ts';
import { createTail, levelOf } from './stderr.ts';
import { createStdoutReader } from './stdoutReader.ts';
import { warnOfListener } from './warnOfListener.ts';
import type { Frame, StdioWire } from './wire.ts';
import type { StdioWireFaults } from './wireFaults.ts';

export interface StdioWireOptions extends RecorderOptions {
  readonly definition: Pick<StdioDefinition, 'command' | 'args' | 'env' | 'cwd'>;
  /** How long the server may take to go after its stdin was closed. Default 2,000. */
  readonly stdinGraceMs?: number;
  /** How long it may take after SIGTERM. Default 2,000. */
  readonly termGraceMs?: number;
  /** What the definition's own variables are laid over. Default: this process's environment. */
  readonly inheritedEnv?: Environment;
  readonly system?: ProcessSystem;
  /** Faults that are injected on purpose. */
  readonly faults?: StdioWireFaults | undefined;
  /** Told of an error that a listener threw; traffic goes on. Default: a warning of the process. */
  readonly onListenerError?: (error: unknown) => void;
}

/** Time for what a dead server left behind to go by itself; its output is held open that long at most. */
const LINGER_MS = 250;

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'starting'; readonly done: Promise<TransportFailure | undefined> }
  | { readonly kind: 'running'; readonly process: ServerProcess; readonly group: ProcessGroup }
  | { readonly kind: 'closed'; readonly failure: TransportFailure };

/**
 * A wire to a server process, not started yet. Records the process's life, every line of its stdout as message or noise,
 * and every line of its stderr; see `StdioWire` for what it promises.
 */
export function createStdioWire(options: StdioWireOptions): StdioWire {
  const { definition, clock, stdinGraceMs = 2000, termGraceMs = 2000, system = thisSystem } = options;
  const record = createRecorder(options);
  const onListenerError = options.onListenerError ?? warnOfListener;
  const onDidSend = new Emitter<Frame>(onListenerError);
  const onDidReceive = new Emitter<Frame>(onListenerError);
  const onDidLoseRequest = new Emitter<{ readonly id: JsonRpcId; readonly failure: TransportFailure }>(onListenerError);
  const onDidClose = new Emitter<TransportFailure>(onListenerError);
  const stdout = createLineFramer();
  const stderr = createLineFramer();
  const readLine = createStdoutReader();
  const tail = createTail();
  const hurry = new AbortController();
  let state: State = { kind: 'idle' };
  let hasExited = false;
  /** It stopped reading before anybody asked it to go: its exit is its own doing, however it is hurried along then. */
  let hasStoppedReading = false;
  let closing: Promise<void> | undefined;

  const note = (detail: LifecycleStep) => record({ kind: 'lifecycle', detail });

  function takeStdout(lines: readonly FramedLine[]): void {
    for (const { body, parsed } of lines.map(readLine)) {
      const monoUs = record(body);
      if (parsed !== undefined) {
        onDidReceive.fire({ raw: body.raw, monoUs, ...parsed });
      }
    }
  }

  const faults = options.faults?.({
    note: (injected) => record({ kind: 'note', note: injected }),
    kill: () => {
      if (state.kind === 'running') {
        state.group.kill();
      }
    },
    onReceived: (bytes) => takeStdout(stdout.push(bytes)),
  });

  function takeStderr(lines: readonly FramedLine[]): void {
    for (const { raw } of lines) {
      record({ kind: 'stderr', line: raw, level: levelOf(raw) });
      tail.add(raw);
    }
  }

  async function begin(): Promise<TransportFailure | undefined> {
    const { command, args, cwd } = definition;
    const place = cwd === undefined ? {} : { cwd };
    const startUs = note({ step: 'spawn', command, args, ...place });
    const result = await launch({
      command,
      args,
      ...place,
      env: mergeEnvironment(options.inheritedEnv ?? process.env, definition.env, system.platform),
      platform: system.platform,
      onSpawn: (pid) => note({ step: 'started', pid }),
      onStdout: faults === undefined ? (chunk) => takeStdout(stdout.push(chunk)) : faults.received,
      onStderr: (chunk) => takeStderr(stderr.push(chunk)),
    });
    if (result.kind === 'failed') {
      state = { kind: 'closed', failure: result.failure };
      note({ step: 'failed', failure: result.failure, durationUs: clock.monoUs() - startUs });
      return result.failure;
    }
    const server = result.process;
    const group = createProcessGroup(server.pid, system);
    state = { kind: 'running', process: server, group };
    void server.exited.then(() => {
      hasExited = true;
      const isExpected = closing !== undefined && !hasStoppedReading;
      void server.drained.then((exit) => whenGiven(() => ended(exit, isExpected)));
      closing ??= end(server, group, LINGER_MS);
    });
    return undefined;
  }

  /** Ends the group and what is left of its output. */
  async function end(server: ServerProcess, group: ProcessGroup, graceMs: number): Promise<void> {
    server.endStdin();
    await shutDown({
      group,
      leader: { hasExited: () => hasExited, exited: server.exited },
      clock,
      stdinGraceMs: graceMs,
      termGraceMs,
      hurry: hurry.signal,
      onStep: (action) => note({ step: 'shutdown', action }),
    });
    const awake = new AbortController();
    const isDrained = server.drained.then(() => 'drained' as const);
    if ((await Promise.race([isDrained, clock.sleep(LINGER_MS, awake.signal)])) !== 'drained') {
      server.abandonOutput();
    }
    awake.abort();
    // A process that survived SIGKILL (stuck in the kernel) will never exit: it is not waited for.
    if (hasExited) {
      await server.drained;
    } else {
      ended({ code: null, signal: null }, true);
    }
  }

  /** What faults hold back of a server's output comes before its end. */
  function whenGiven(done: () => void): void {
    if (faults === undefined) {
      done();
    } else {
      faults.ended(done);
    }
  }

  function ended(exit: Exit, isExpected: boolean): void {
    if (state.kind === 'closed') {
      return;
    }
    takeStdout(stdout.end());
    takeStderr(stderr.end());
    if (hasExited) {
      note({ step: 'exited', code: exit.code, signal: exit.signal, expected: isExpected });
    }
    const failure = exitFailure(exit, isExpected, tail.lines());
    state = { kind: 'closed', failure };
    onDidClose.fire(failure);
  }

  /** A server that takes no message is nearly always one that has just died: how is a better cause than `EPIPE`. */
  async function exitWithin(ms: number, server: ServerProcess): Promise<TransportFailure | undefined> {
    const awake = new AbortController();
    await Promise.race([server.drained, clock.sleep(ms, awake.signal)]);
    awake.abort();
    // `ended` is subscribed to `drained` after this race began: let it run.
    await Promise.resolve();
    return state.kind === 'closed' ? state.failure : undefined;
  }

  return {
    onDidSend: onDidSend.event,
    onDidReceive: onDidReceive.event,
    onDidLoseRequest: onDidLoseRequest.event,
    onDidClose: onDidClose.event,

    get pid() {
      return state.kind === 'running' ? state.process.pid : undefined;
    },

    start() {
      switch (state.kind) {
        case 'idle': {
          const done = begin();
          state = state.kind === 'idle' ? { kind: 'starting', done } : state;
          return done;
        }
        case 'starting':
          return state.done;
        case 'running':
          return Promise.resolve(undefined);
        case 'closed':
          return Promise.resolve(state.failure);
        default:
          return assertNever(state);
      }
    },

    async send(message) {
      if (state.kind !== 'running') {
        return state.kind === 'closed' ? state.failure : notOpen('The server has not been started.');
      }
      if (hasExited || closing !== undefined) {
        return notOpen('The connection is closing.');
      }
      const { process: server } = state;
      const parsed = parseFrame(message);
      const body = { direction: 'sent', raw: message, bytes: Buffer.byteLength(message) } as const;
      const monoUs = record({ kind: 'message', ...body, envelope: parsed.envelope });
      onDidSend.fire({ raw: message, monoUs, ...parsed });
      const written = server.write(`${message}\n`);
      faults?.sent(Buffer.from(`${message}\n`));
      const error = await written;
      if (error === undefined) {
        return undefined;
      }
      hasStoppedReading = closing === undefined;
      const cause = await exitWithin(LINGER_MS, server);
      if (cause !== undefined) {
        return cause;
      }
      const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
      return { ...notOpen(`The server does not take messages any more: ${error.message}`), ...code };
    },

    async close() {
      if (state.kind === 'starting') {
        await state.done;
      }
      if (state.kind === 'idle') {
        state = { kind: 'closed', failure: notOpen('The connection was closed before it was started.') };
      }
      if (closing !== undefined) {
        hurry.abort();
        return closing;
      }
      if (state.kind === 'running') {
        note({ step: 'shutdown', action: 'stdin-closed' });
        closing = end(state.process, state.group, stdinGraceMs);
        await closing;
        note({ step: 'shutdown', action: 'closed' });
      }
    },
  };
}

function notOpen(message: string): TransportFailure {
  return { reason: 'closed', message };
}

function exitFailure(exit: Exit, isExpected: boolean, stderrTail: readonly string[]): TransportFailure {
  const facts = { exitCode: exit.code, exitSignal: exit.signal, stderrTail };
  if (isExpected) {
    return { reason: 'closed', message: 'The connection was closed.', ...facts };
  }
  if (exit.error !== undefined) {
    return { ...exit.error, ...facts };
  }
  const how = exit.signal === null ? `exited with code ${exit.code}` : `was ended by ${exit.signal}`;
  return { reason: 'exited', message: `The server ${how}.`, ...facts };
}
