import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { messageOf } from '../../base/messageOf.ts';
import { safeLine } from '../../base/safeText.ts';
import { systemClock } from '../../base/systemClock.ts';
import { AnswerBook } from '../../core/mock/answerBook.ts';
import { collectServers } from '../../core/mock/collectServers.ts';
import { openHttpMock } from '../../core/mock/httpMock.ts';
import type { MockOptions } from '../../core/mock/mockSession.ts';
import type { RecordedServer } from '../../core/mock/recordedServer.ts';
import { serveStdioMock } from '../../core/mock/stdioMock.ts';
import type { ServerId } from '../../protocol/events.ts';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import { openTarget } from '../recorded.ts';
import type { Terminal } from '../terminal.ts';

export interface MockCommandOptions {
  readonly log?: string;
  /** Which of the recorded servers, where there are several. */
  readonly server?: string;
  /** `127.0.0.1:8080`; stdio when absent. */
  readonly listen?: string;
  /** `recorded`, `none`, or what recorded waits are multiplied by. */
  readonly delays: string;
}

/** `faultline mock`: serves a recorded session as the server that was recorded, until the client or a signal ends it. */
export async function mock(
  session: string | undefined,
  options: MockCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const delayFactor = factorOf(options.delays);
  const address = options.listen === undefined ? undefined : addressOf(options.listen);
  if (delayFactor === undefined) {
    return refuse(`--delays must be recorded, none or a factor such as 0.5, not ${options.delays}`, terminal);
  }
  if (address !== undefined && 'problem' in address) {
    return refuse(address.problem, terminal);
  }
  const server = await readServer(session, options, terminal);
  if ('problem' in server) {
    return refuse(server.problem, terminal);
  }
  const mockOptions: MockOptions = {
    server,
    book: new AnswerBook(server),
    clock: systemClock,
    delayFactor,
    onUnknown: ({ message }) => terminal.err(`faultline mock: ${safeLine(message, 1000)}\n`),
  };
  if (address === undefined) {
    await serveOverStdio(mockOptions);
    return exitCodes.clean;
  }
  try {
    const served = await openHttpMock({ ...mockOptions, ...address });
    terminal.err(`listening on ${served.url}\n`);
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    await served.close();
    return exitCodes.clean;
  } catch (error) {
    return refuse(`cannot listen on ${options.listen}: ${messageOf(error)}`, terminal);
  }
}

async function readServer(
  session: string | undefined,
  { log, server: wanted }: MockCommandOptions,
  terminal: Terminal,
): Promise<RecordedServer | { readonly problem: string }> {
  const target = await openTarget(session, log, terminal);
  if ('problem' in target) {
    return target;
  }
  try {
    return chooseServer(await collectServers(target.events()), wanted);
  } finally {
    target.recorded.close();
  }
}

/** The one server that was recorded, or the one that is wanted, by its name or id. */
function chooseServer(
  servers: ReadonlyMap<ServerId, RecordedServer>,
  wanted: string | undefined,
): RecordedServer | { readonly problem: string } {
  const names = [...servers.keys()].map((id) => safeLine(id, 100)).join(', ');
  if (servers.size === 0) {
    return { problem: 'nothing in this session was said to a server' };
  }
  const found = [...servers].filter(([id, { name }]) => wanted === undefined || id === wanted || name === wanted);
  const [first, second] = found;
  if (first === undefined) {
    return { problem: `no server ${wanted} was recorded; there is: ${names}` };
  }
  return second === undefined ? first[1] : { problem: `several servers were recorded, name one by --server: ${names}` };
}

async function serveOverStdio(options: MockOptions): Promise<void> {
  const { stdin, stdout, stderr } = process;
  // A client that goes away early is no failure of ours.
  stdout.on('error', () => process.exit());
  await serveStdioMock(options, {
    lines: createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY }),
    stdout: (text) => {
      stdout.write(text);
    },
    stderr: (text) => {
      stderr.write(text);
    },
    exit: (code, signal) => {
      stdout.write('', () =>
        stderr.write('', () => {
          if (signal === null) {
            process.exit(code ?? 1);
          }
          process.kill(process.pid, signal as NodeJS.Signals);
        }),
      );
    },
  });
}

function factorOf(delays: string): number | undefined {
  if (delays === 'recorded') {
    return 1;
  }
  if (delays === 'none') {
    return 0;
  }
  return /^\d{1,4}(?:\.\d{1,4})?$/.test(delays) ? Number(delays) : undefined;
}

/** On this machine alone: a recording is nobody else's business. */
function addressOf(listen: string): { readonly host: string; readonly port: number } | { readonly problem: string } {
  const [, host = '', port = ''] = /^(127(?:\.\d{1,3}){3}|localhost|\[::1\]):(\d{1,5})$/.exec(listen) ?? [];
  return host === '' || Number(port) > 65_535
    ? { problem: `--listen must be an address of this machine and a port, such as 127.0.0.1:8765, not ${listen}` }
    : { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

function refuse(problem: string, terminal: Terminal): ExitCode {
  terminal.err(`faultline: ${problem}\n`);
  return exitCodes.failed;
}
