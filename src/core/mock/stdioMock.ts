import type { JsonRpcId, JsonValue } from '../../protocol/jsonrpc.ts';
import { type MockChannel, type MockOptions, MockSession } from './mockSession.ts';
import { answer, transportError } from './ownAnswers.ts';
import type { MockStep } from './recordedServer.ts';

export interface StdioMockStreams {
  /** Lines of the client, without their ends. */
  readonly lines: AsyncIterable<string>;
  stdout(text: string): void;
  stderr(text: string): void;
  /** Ends the process as the recorded one ended, once what was written has left it. */
  exit(code: number | null, signal: string | null): void;
}

/** Serves a recording over stdio until the client closes it. Rejects only when the streams do. */
export async function serveStdioMock(options: MockOptions, streams: StdioMockStreams): Promise<void> {
  const session = new MockSession(options);
  const channel: MockChannel = {
    message: (raw) => streams.stdout(`${oneLine(raw)}\n`),
    other: (step, id) => other(step, id, streams),
    done: () => undefined,
  };
  session.open(channel);
  for await (const line of streams.lines) {
    if (line.trim() !== '') {
      receive(session, line, channel);
    }
  }
  session.close();
}

function receive(session: MockSession, line: string, channel: MockChannel): void {
  let message: JsonValue;
  try {
    message = JSON.parse(line) as JsonValue;
  } catch {
    channel.message(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }));
    return;
  }
  for (const each of Array.isArray(message) ? (message as readonly JsonValue[]) : [message]) {
    session.receive(each, channel);
  }
}

function other(
  step: Extract<MockStep, { kind: 'noise' | 'stderr' | 'http' | 'end' }>,
  id: JsonRpcId | undefined,
  streams: StdioMockStreams,
): void {
  switch (step.kind) {
    case 'noise':
      streams.stdout(`${step.raw}\n`);
      return;
    case 'stderr':
      streams.stderr(`${step.line}\n`);
      return;
    case 'end':
      if (step.how === 'exit') {
        streams.exit(step.code, step.signal);
        return;
      }
      break;
    case 'http':
      break;
  }
  if (id !== undefined) {
    streams.stdout(`${answer(id, { error: transportError(step) })}\n`);
  }
}

/** A message that came over HTTP may have line ends between its members. */
function oneLine(raw: string): string {
  if (!/[\r\n]/.test(raw)) {
    return raw;
  }
  try {
    return JSON.stringify(JSON.parse(raw));
  } catch {
    return raw.replaceAll(/[\r\n]+/g, ' ');
  }
}
