import type { ServerResponse } from 'node:http';
import { memberOf } from '../../protocol/json.ts';
import type { JsonRpcId, JsonValue } from '../../protocol/jsonrpc.ts';
import type { MockChannel } from './mockSession.ts';
import type { MockStep, RecordedCall } from './recordedServer.ts';

export interface PostChannel extends MockChannel {
  /** All that will be said has been. */
  readonly isDone: boolean;
  /** The message wanted no answer. */
  accept(): void;
}

export interface PostChannelOptions {
  readonly response: ServerResponse;
  /** Requests that the POST carries. */
  readonly answers: number;
  /** Of the answer, whatever it is. */
  readonly headers: Readonly<Record<string, string>>;
  /** Takes what comes after the answer, for the stream that the client listens on. */
  readonly later: (raw: string) => void;
}

/**
 * The answer to one POST: `application/json` where the recorded answer was, or where nothing but one answer was recorded
 * over stdio; else an event stream, as every server may answer.
 */
export function createPostChannel({ response, answers, headers, later }: PostChannelOptions): PostChannel {
  let form: 'undecided' | 'stream' | 'json' = answers > 1 ? 'stream' : 'undecided';
  let status = 200;
  let waiting = Math.max(1, answers);
  let isDone = false;

  const openStream = () => {
    if (!response.headersSent) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...headers });
      response.flushHeaders();
    }
  };
  const finish = () => {
    isDone = true;
    response.end();
  };

  return {
    get isDone() {
      return isDone;
    },
    begin(call) {
      if (form === 'undecided' && call.id !== undefined) {
        form = isStreamed(call) ? 'stream' : 'json';
        status = call.http?.status ?? 200;
      }
      if (form === 'stream' && call.id !== undefined) {
        openStream();
      }
    },
    message(raw) {
      if (isDone || response.destroyed) {
        later(raw);
      } else if (form === 'stream') {
        openStream();
        response.write(sseFrame(raw));
      } else if (response.headersSent || isCall(raw)) {
        later(raw);
      } else {
        // Content-Length, as an answer in one piece has it.
        isDone = true;
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(raw);
      }
    },
    other(step, id) {
      if (!isDone && !response.destroyed) {
        isDone = other(step, id, response, headers, form === 'stream') || isDone;
      }
    },
    accept() {
      if (!response.headersSent) {
        isDone = true;
        response.writeHead(202, headers).end();
      }
    },
    done() {
      waiting -= 1;
      if (waiting <= 0 && response.headersSent && !isDone) {
        finish();
      }
    },
  };
}

/** Puts into the answer what is no message; true when that was the whole of it. */
function other(
  step: Extract<MockStep, { kind: 'noise' | 'stderr' | 'http' | 'end' }>,
  id: JsonRpcId | undefined,
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  isStream: boolean,
): boolean {
  switch (step.kind) {
    case 'stderr':
      return false;
    case 'noise':
      if (step.stream === 'sse' && isStream) {
        response.write(sseFrame(step.raw));
        return false;
      }
      if (step.stream === 'http' && !response.headersSent) {
        response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(step.raw);
        return true;
      }
      // What a process prints on its stdout is not seen over HTTP.
      return false;
    case 'http':
      response.writeHead(step.status, { ...step.headers, ...headers }).end(step.body);
      return true;
    case 'end':
      if (id === undefined) {
        return false;
      }
      if (step.how === 'stream-ended') {
        response.end();
      } else {
        response.destroy();
      }
      return true;
  }
}

/** Over stdio, what came beside the answer needs a stream. */
function isStreamed({ http, steps }: RecordedCall): boolean {
  return http?.isStream ?? steps.filter(({ kind }) => kind === 'message').length > 1;
}

function isCall(raw: string): boolean {
  try {
    return memberOf(JSON.parse(raw) as JsonValue, 'method') !== undefined;
  } catch {
    return false;
  }
}

/** One event whose data is `raw`, line by line (HTML, "Server-sent events"). */
export function sseFrame(raw: string): string {
  const lines = raw.split(/\r\n|\n|\r/).map((line) => `data: ${line}\n`);
  return `event: message\n${lines.join('')}\n`;
}
