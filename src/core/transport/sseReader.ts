import { createParser } from 'eventsource-parser';
import type { NoiseBody } from '../../protocol/events.ts';
import { isMeantAsJsonRpc, type ParsedFrame, parseFrame } from './envelope.ts';
import { MAX_LINE_BYTES } from './lineFramer.ts';

export interface SseListener {
  onMessage(raw: string, frame: ParsedFrame): void;
  onNoise(raw: string, problem: NoiseBody['problem']): void;
  /** The event that opens HTTP+SSE (2024-11-05): where to POST. */
  onEndpoint?(uri: string): void;
}

export interface SseReader {
  push(chunk: Uint8Array): void;
  /** The last non-empty event id: where the stream can be resumed. */
  lastEventId(): string | undefined;
  /** What the server asked to wait before resuming, ms. */
  retryMs(): number | undefined;
}

/**
 * Reads a stream of server-sent events as MCP uses it: messages are the data of events without a type or of the type
 * `message`; an event with empty data only marks a place to resume from, a comment only keeps the connection alive.
 */
export function createSseReader(listener: SseListener): SseReader {
  const decoder = new TextDecoder();
  let lastEventId: string | undefined;
  let retryMs: number | undefined;
  const parser = createParser({
    maxBufferSize: MAX_LINE_BYTES,
    onRetry: (ms) => {
      retryMs = ms;
    },
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') {
        listener.onNoise('', 'frame-too-large');
        parser.reset();
      }
    },
    onEvent: ({ id, event, data }) => {
      if (id !== undefined && id !== '') {
        lastEventId = id;
      }
      if (data === '') {
        return;
      }
      if (event === 'endpoint' && listener.onEndpoint !== undefined) {
        listener.onEndpoint(data);
        return;
      }
      const frame = parseFrame(data);
      const isMessage = (event === undefined || event === 'message') && isMeantAsJsonRpc(frame.message);
      if (isMessage) {
        listener.onMessage(data, frame);
      } else {
        listener.onNoise(data, frame.message === undefined ? 'not-json' : 'not-jsonrpc');
      }
    },
  });
  return {
    push: (chunk) => parser.feed(decoder.decode(chunk, { stream: true })),
    lastEventId: () => lastEventId,
    retryMs: () => retryMs,
  };
}
