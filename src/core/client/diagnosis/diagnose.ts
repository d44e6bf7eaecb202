import type { TextArgs } from '../../../base/text.ts';
import type { HttpBody, NoiseBody, TransportFailure } from '../../../protocol/events.ts';
import { type ConnectionFailure, connectionFailure } from '../failure.ts';
import { httpCause } from './httpCauses.ts';
import { causeOnStderr, plainLine } from './stderrCauses.ts';

/**
 * Why a server is not there and what to do about it: both name sentences in `protocol/texts/start.ts`, else in
 * `protocol/texts.ts`, that share `args`.
 */
export interface Diagnosis {
  readonly code: string;
  readonly remedy: string;
  readonly args: TextArgs;
}

/** Everything that was seen of a start that came to nothing, or of a connection that broke. */
export interface StartFacts {
  readonly failure: ConnectionFailure | TransportFailure;
  readonly transport: 'stdio' | 'http';
  /** The command or the URL, as defined. */
  readonly target?: string;
  /** What came in the place of messages, oldest first. */
  readonly noise?: readonly Pick<NoiseBody, 'raw' | 'problem'>[];
  /** Lines of stderr, oldest first. The failure's own tail is used beside them. */
  readonly stderr?: readonly string[];
  /** The last HTTP exchange. */
  readonly http?: Pick<HttpBody, 'status' | 'responseHeaders' | 'url' | 'body'> | undefined;
}

/** Commands that people know by another name than that of what has to be installed. */
const INSTALLABLE: readonly (readonly [RegExp, string])[] = [
  [/^uvx?$/, 'start.noUv'],
  [/^(?:node|npx|npm)$/, 'start.noNode'],
  [/^(?:python[\d.]*|pip[\d.]*|pipx)$/, 'start.noPython'],
  [/^docker$/, 'start.noDocker'],
];
const LISTENS =
  /\b(?:listening|running|started|serving|available|ready)\b.{0,80}?(https?:\/\/[^\s"']{1,200}|\bport:? ?\d{2,5}\b)/i;
const USAGE = /^\s{0,8}usage:/i;
const HELP = /^\s{0,8}(?:options|commands|positional arguments|arguments):\s{0,8}$/i;

/**
 * Names the cause of a failed start from what the wire saw, the more specific before the less: system error, LSP framing,
 * stderr, stdout, exit, HTTP answer. Pure; never throws. Without a better guess it says what the failure itself says.
 */
export function diagnose(facts: StartFacts): Diagnosis {
  const connection = 'reason' in facts.failure ? connectionFailure(facts.failure) : facts.failure;
  const { failure } = connection;
  const stderr = linesOf(facts, failure);
  const found =
    failure.reason === 'spawn-failed'
      ? spawnCause(failure, facts.target ?? '')
      : facts.transport === 'http'
        ? httpCause(failure, facts.http)
        : (outputCause(facts, stderr, connection) ?? exitCause(failure, stderr));
  const { code, args } = found ?? { code: connection.code, args: connection.args };
  return { code, remedy: `${code}.remedy`, args: { ...connection.args, ...args } };
}

interface Cause {
  readonly code: string;
  readonly args: TextArgs;
}

function spawnCause({ code, message }: TransportFailure, target: string): Cause | undefined {
  const args = { command: target, message };
  // The wire looks at the directory itself, since the system would blame the command.
  if (message.startsWith('The working directory ')) {
    return { code: 'start.badCwd', args };
  }
  if (code === 'EACCES') {
    return { code: 'start.notExecutable', args };
  }
  if (code !== 'ENOENT') {
    return undefined;
  }
  if (message.includes(' interpreter ')) {
    return { code: 'start.noInterpreter', args };
  }
  if (/[\\/]/.test(target)) {
    return { code: 'start.noSuchFile', args };
  }
  const known = INSTALLABLE.find(([pattern]) => pattern.test(target.replace(/\.(?:exe|cmd|bat)$/i, '')));
  return { code: known?.[1] ?? 'start.notFound', args };
}

/** What the output of a process says, whether it ended or is just silent. */
function outputCause(
  { noise = [] }: StartFacts,
  stderr: readonly string[],
  { code, failure }: ConnectionFailure,
): Cause | undefined {
  if (noise.some(({ problem }) => problem === 'lsp-framing')) {
    return { code: 'start.lspFraming', args: {} };
  }
  const hasEnded = failure.reason === 'exited' || failure.reason === 'closed';
  const isSilent = code === 'connection.timeout';
  if (!hasEnded && !isSilent) {
    return undefined;
  }
  const said = [...noise.map(({ raw }) => raw), ...stderr].map(plainLine);
  const named = hasEnded ? causeOnStderr(stderr) : undefined;
  if (named !== undefined) {
    return named;
  }
  if (said.some((line) => USAGE.test(line)) || said.filter((line) => HELP.test(line)).length > 1) {
    return { code: 'start.usage', args: {} };
  }
  const address = said.map((line) => LISTENS.exec(line)?.[1]).find((found) => found !== undefined);
  if (isSilent && address !== undefined) {
    return { code: 'start.speaksHttp', args: { address } };
  }
  const banner = noise.find(({ problem, raw }) => problem !== 'frame-too-large' && raw.trim() !== '');
  if (banner !== undefined && isSilent) {
    return { code: 'start.stdoutNoise', args: { line: short(banner.raw) } };
  }
  const late = isSilent ? (causeOnStderr(stderr) ?? lastLine('start.timeoutAfter', stderr)) : undefined;
  return (
    late ??
    (banner !== undefined && hasEnded && stderr.length === 0 ? lastLine('start.exitedSaying', [banner.raw]) : undefined)
  );
}

function exitCause(
  { reason, exitCode, exitSignal, stderrTail }: TransportFailure,
  stderr: readonly string[],
): Cause | undefined {
  if (reason !== 'exited') {
    return undefined;
  }
  if (typeof exitSignal === 'string' && exitSignal !== '') {
    const isCrash = ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGABRT', 'SIGFPE'].includes(exitSignal);
    return { code: isCrash ? 'start.crashed' : 'start.killed', args: { signal: exitSignal } };
  }
  const line = short((stderr.length > 0 ? stderr : (stderrTail ?? [])).findLast((each) => each.trim() !== '') ?? '');
  switch (exitCode) {
    case 126:
      return { code: 'start.notExecutable', args: { line } };
    case 127:
      return { code: 'start.shellNotFound', args: { command: line } };
    case 137:
      return { code: 'start.killed', args: { signal: 'SIGKILL' } };
    case 0:
      return { code: 'start.exitedAtOnce', args: { line } };
    default:
      return line === '' ? { code: 'start.exitedSilently', args: {} } : { code: 'start.exited', args: { line } };
  }
}

function linesOf({ stderr = [] }: StartFacts, { stderrTail = [] }: TransportFailure): readonly string[] {
  return stderr.length >= stderrTail.length ? stderr : stderrTail;
}

function lastLine(code: string, lines: readonly string[]): Cause | undefined {
  const line = lines.findLast((each) => each.trim() !== '');
  return line === undefined ? undefined : { code, args: { line: short(line) } };
}

function short(line: string): string {
  const text = plainLine(line).trim();
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
