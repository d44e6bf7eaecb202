import type { Clock } from '../../../base/clock.ts';
import type { HttpWireFaults, StdioWireFaults } from '../../transport/wireFaults.ts';
import type { FaultEngine } from './engine.ts';
import { type BodyFilter, type BodyOutlet, type Meeting, meetFaults } from './httpFaults.ts';
import { createLineFaults } from './lineFaults.ts';

/** Faults for our own client's wire to a server process. */
export function stdioWireFaults(engine: FaultEngine, clock: Clock): StdioWireFaults {
  return ({ note, kill, onReceived }) => createLineFaults({ engine, clock, note, kill, onReceived });
}

/** Faults for our own client's wire over HTTP. */
export function httpWireFaults(engine: FaultEngine, clock: Clock): HttpWireFaults {
  return async ({ method, body }, { send, note, signal }) => {
    const meeting = method === 'POST' && body !== undefined ? meetFaults(engine, clock, body, note) : undefined;
    switch (meeting?.kind) {
      case undefined:
        return send();
      case 'broken':
        throw broken();
      case 'own': {
        const { status, headers, body: text, delayMs } = meeting.answer;
        if (delayMs > 0) {
          await clock.sleep(delayMs, signal);
        }
        signal.throwIfAborted();
        return new Response(text, { status, headers });
      }
      case 'passed':
        return brokenResponse(await send(), meeting, signal);
    }
  };
}

/** As undici tells of a connection that was reset. */
function broken(): Error {
  const cause = Object.assign(new Error('The connection was cut.'), { code: 'ECONNRESET' });
  return new TypeError('fetch failed', { cause });
}

function brokenResponse(
  answer: Response,
  meeting: Extract<Meeting, { kind: 'passed' }>,
  signal: AbortSignal,
): Response {
  const source = answer.body;
  // A status that no `Response` can be made of, or nothing to be broken.
  if (source === null || answer.status < 200 || answer.status > 599) {
    return answer;
  }
  const given = answer.headers.get('content-type') ?? '';
  const headers = new Headers([...answer.headers]);
  headers.delete('content-length');
  headers.delete('content-encoding');
  headers.set('content-type', meeting.contentType(given));
  const reader = source.getReader();
  let filter: BodyFilter | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const outlet = once(controller, () => void reader.cancel().catch(() => undefined));
      filter = meeting.filter(given, outlet);
      const abort = () => outlet.fail(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      void pump(reader, filter).catch((error: unknown) => outlet.fail(error));
    },
    cancel(reason) {
      filter?.stop();
      return reader.cancel(reason);
    },
  });
  const { status, statusText } = answer;
  return new Response(body, { status, statusText, headers });
}

async function pump(reader: ReadableStreamDefaultReader<Uint8Array>, filter: BodyFilter): Promise<void> {
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    filter.push(read.value);
  }
  filter.end();
}

/** A stream ends once: what comes after that has nowhere to go. */
function once(
  controller: ReadableStreamDefaultController<Uint8Array>,
  letGo: () => void,
): BodyOutlet & { fail(error: unknown): void } {
  let isOver = false;
  const over = (work: () => void) => {
    if (!isOver) {
      isOver = true;
      work();
    }
  };
  const fail = (error: unknown) =>
    over(() => {
      controller.error(error);
      letGo();
    });
  return {
    write: (bytes) => {
      if (!isOver) {
        controller.enqueue(bytes);
      }
    },
    end: () => over(() => controller.close()),
    cut: () => fail(broken()),
    fail,
  };
}
