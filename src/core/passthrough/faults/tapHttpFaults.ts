import type http from 'node:http';
import type { Clock } from '../../../base/clock.ts';
import { MAX_LINE_BYTES } from '../../transport/lineFramer.ts';
import { endToEnd, type HeaderPair, headerOf, pairsOf } from '../httpHeaders.ts';
import type { Tape } from '../tape.ts';
import type { FaultEngine } from './engine.ts';
import { type BodyFilter, type Meeting, meetFaults } from './httpFaults.ts';

/** A request that was read whole, since what it asks for decides whether it meets a fault. */
export interface WholeRequest {
  readonly body: Uint8Array;
  /** Asked once the request is on record. */
  meet(exchange: number): Meeting | undefined;
}

/** Faults of a tap over HTTP. */
export interface TapHttpFaults {
  /** Reads a POST to its end; calls back with nothing when it is too long to be a message or ends early. */
  read(request: http.IncomingMessage, done: (whole: WholeRequest | undefined) => void): void;
}

/** Faults for `openHttpTap`. */
export function createTapHttpFaults(engine: FaultEngine, clock: Clock, tape: Tape): TapHttpFaults {
  return {
    read(request, done) {
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      request.on('data', (chunk: Uint8Array) => {
        bytes += chunk.length;
        if (bytes <= MAX_LINE_BYTES) {
          chunks.push(chunk);
        }
      });
      request.once('end', () => {
        if (bytes > MAX_LINE_BYTES) {
          done(undefined);
          return;
        }
        const body = Buffer.concat(chunks);
        done({
          body,
          meet: (exchange) =>
            meetFaults(engine, clock, body.toString('utf8'), (note) =>
              tape.happened(exchange, { fact: 'injected', note }),
            ),
        });
      });
      request.once('error', () => done(undefined));
    },
  };
}

/** Where an answer goes, and what is told of it. */
export interface AnswerPlace {
  readonly exchange: number;
  readonly response: http.ServerResponse;
  readonly tape: Tape;
  /** The exchange is over: what happens to its sockets from here on is no failure of anybody's. */
  readonly over: () => void;
}

const CUT = { reason: 'reset', message: 'The connection was cut.' } as const;

/** Breaks the connection to the client. */
export function breakOff({ exchange, response, tape, over }: AnswerPlace): void {
  over();
  tape.happened(exchange, { fact: 'failed', failure: CUT, isAborted: false });
  response.destroy();
}

/** Answers without the server. */
export function answerInstead(
  { answer: { status, headers, body, delayMs } }: Extract<Meeting, { kind: 'own' }>,
  clock: Clock,
  { exchange, response, tape, over }: AnswerPlace,
): void {
  const bytes = Buffer.from(body);
  const pairs: HeaderPair[] = [...Object.entries(headers), ['Content-Length', String(bytes.length)]];
  const timer = clock.setTimer(delayMs, () => {
    over();
    tape.happened(exchange, { fact: 'response', status, headers: pairs });
    tape.passed('received', exchange, bytes);
    tape.happened(exchange, { fact: 'end', channel: 'received' });
    response.writeHead(status, pairs.flat());
    response.end(bytes);
  });
  response.once('close', () => timer.dispose());
}

/** Passes the server's answer on with its faults. */
export function passBroken(
  answer: http.IncomingMessage,
  meeting: Extract<Meeting, { kind: 'passed' }>,
  place: AnswerPlace,
): void {
  const { exchange, response, tape, over } = place;
  const given = pairsOf(answer.rawHeaders);
  const type = headerOf(given, 'content-type') ?? '';
  const headers: readonly HeaderPair[] = endToEnd(given, ['content-length', 'content-type']).concat([
    ['Content-Type', meeting.contentType(type)],
  ]);
  const { statusCode: status = 502, statusMessage = '' } = answer;
  response.sendDate = false;
  response.writeHead(status, statusMessage, headers.flat());
  tape.happened(exchange, { fact: 'response', status, headers });
  response.flushHeaders();
  /** Resolves when the last that was written has been handed to the system, which a broken connection would lose. */
  let written = Promise.resolve();
  const filter: BodyFilter = meeting.filter(type, {
    write(bytes) {
      tape.passed('received', exchange, bytes);
      written = new Promise((resolve) => {
        response.write(bytes, () => resolve());
      });
    },
    end() {
      over();
      tape.happened(exchange, { fact: 'end', channel: 'received' });
      response.end();
    },
    cut() {
      void written.then(() => breakOff(place));
    },
  });
  response.once('close', () => filter.stop());
  answer.on('data', (chunk: Uint8Array) => filter.push(chunk));
  answer.once('end', () => filter.end());
  answer.once('error', () => {
    if (!response.destroyed) {
      breakOff(place);
    }
  });
}
