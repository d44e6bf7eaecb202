import { describe, expect, it } from 'vitest';
import { formatText } from '../../../src/base/text.ts';
import { BehaviourTracker } from '../../../src/core/classify/behaviour/behaviourTracker.ts';
import { Correlator } from '../../../src/core/classify/correlate.ts';
import { judge } from '../../../src/core/classify/judge.ts';
import { Timeline } from '../../../src/core/timeline/timeline.ts';
import { parseFrame } from '../../../src/core/transport/envelope.ts';
import { createLineFramer, type FramedLine } from '../../../src/core/transport/lineFramer.ts';
import { createStdoutReader } from '../../../src/core/transport/stdoutReader.ts';
import type { ConnectionId, EventBody, LogEvent, ServerId, SessionId } from '../../../src/protocol/events.ts';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import type { JsonValue } from '../../../src/protocol/jsonrpc.ts';
import { OUTCOME_KINDS } from '../../../src/protocol/outcome.ts';
import { TEXTS } from '../../../src/protocol/texts.ts';
import { corpus } from './corpus.ts';
import { below, changed, damaged, oneOf, seeded } from './mutate.ts';

/** As many as a run of all tests can afford; `npm run fuzz` takes a million, and a seed of its own. */
const FRAMES = Number(process.env['FAULTLINE_FUZZ'] ?? 100_000);
const SEED = Number(process.env['FAULTLINE_FUZZ_SEED'] ?? 20_260_728);
const ROUND = 1000;

const messages = corpus();
const encoded = messages.map((message) => Buffer.from(JSON.stringify(message)));
const outcomes: ReadonlySet<string> = new Set(OUTCOME_KINDS);

/** A frame as some server might send it on its worst day. */
function frame(random: () => number): Buffer {
  const original = oneOf(random, messages);
  const choice = random();
  if (choice < 0.2) {
    return Buffer.from(JSON.stringify(original));
  }
  if (choice < 0.7) {
    let message: JsonValue = original;
    for (let times = 1 + below(random, 3); times > 0; times--) {
      message = changed(message, random);
    }
    return Buffer.from(JSON.stringify(random() < 0.05 ? [message, original] : message));
  }
  return damaged(oneOf(random, encoded), oneOf(random, encoded), random);
}

/** What a line feed makes of the bytes, in the plainest way. */
function plainLines(bytes: Buffer): readonly Buffer[] {
  const found: Buffer[] = [];
  let start = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, start)) {
    const line = bytes.subarray(start, at);
    found.push(line.at(-1) === 13 ? line.subarray(0, -1) : line);
    start = at + 1;
  }
  return start < bytes.length ? [...found, bytes.subarray(start)] : found;
}

function framed(bytes: Buffer, random: () => number): readonly FramedLine[] {
  const framer = createLineFramer();
  const found: FramedLine[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = random() < 0.3 ? 1 + below(random, 20) : 1 + below(random, 20_000);
    found.push(...framer.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return [...found, ...framer.end()];
}

const recordedBytes = ({ raw, rawBytes }: { readonly raw: string; readonly rawBytes?: Uint8Array }) =>
  rawBytes === undefined ? Buffer.from(raw) : Buffer.from(rawBytes);

/** Something that the client's side of the tap sees. */
function ownEvent(random: () => number): EventBody {
  const choice = random();
  if (choice < 0.9) {
    const raw = frame(random).toString().replaceAll('\n', ' ');
    return { kind: 'message', direction: 'sent', raw, bytes: raw.length, envelope: parseFrame(raw).envelope };
  }
  const id = below(random, 10);
  if (choice < 0.95) {
    return { kind: 'local-end', id, end: { kind: 'timeout', limit: 'idle', afterMs: 5, progressSeen: false } };
  }
  return {
    kind: 'http',
    id: `h${id}`,
    method: 'POST',
    url: 'http://localhost/',
    status: oneOf(random, [200, 202, 400, 404, 500]),
    requestHeaders: { 'Mcp-Name': 'x' },
    responseHeaders: {},
    durationUs: 1,
    requestId: id,
  };
}

/** What any reader of an exchange relies on. */
function problemOf(exchange: Exchange): string | undefined {
  const { verdict, anomalies = [], startUs, endUs = 0, bytes, key } = exchange;
  if (![startUs, endUs, bytes, key].every(Number.isFinite)) {
    return 'a number that is none';
  }
  if (verdict !== undefined && !outcomes.has(verdict.outcome)) {
    return `an outcome that is none: ${verdict.outcome}`;
  }
  const said = [
    ...(verdict?.signals ?? []).map(({ code, args }) => [code, args] as const),
    ...anomalies.map(({ code, args }) => [`anomaly.${code}`, args] as const),
    ...anomalies.map(({ code, args }) => [`anomaly.${code}.remedy`, args] as const),
  ];
  const unsaid = said.find(([code, args]) => TEXTS[code] === undefined || formatText(TEXTS[code], args) === '');
  return unsaid === undefined ? undefined : `no sentence for ${unsaid[0]}`;
}

describe('frames that were changed at random', () => {
  it(`lose no byte and break nothing (${FRAMES} of them, seed ${SEED})`, { timeout: 1_200_000 }, () => {
    const random = seeded(SEED);
    const correlator = new Correlator(judge);
    const tracker = new BehaviourTracker();
    const problems: string[] = [];
    let timeline = new Timeline();
    let seq = 0;
    const record = (body: EventBody, connection: string) => {
      seq += 1;
      const event: LogEvent = {
        seq,
        session: 's' as SessionId,
        server: 'a:b' as ServerId,
        connection: connection as ConnectionId,
        wallUs: seq * 1000,
        monoUs: seq * 1000,
        origin: 'client',
        body,
      };
      const exchanges = correlator.push(event);
      timeline.apply(exchanges);
      for (const exchange of exchanges) {
        tracker.push(exchange);
        const problem = problemOf(exchange);
        if (problem !== undefined) {
          problems.push(`#${seq}: ${problem}`);
        }
      }
    };
    for (let count = 0; count < FRAMES; count += ROUND) {
      const reader = createStdoutReader();
      const parts = Array.from({ length: ROUND }, () => [frame(random), Buffer.from(random() < 0.1 ? '\r\n' : '\n')]);
      const bytes = Buffer.concat(parts.flat());
      const lines = framed(bytes, random);
      const expected = plainLines(bytes);
      const wrong = lines.findIndex((line, index) => !recordedBytes(line).equals(expected[index] ?? Buffer.of()));
      if (lines.length !== expected.length || wrong !== -1) {
        problems.push(`round ${count}: line ${wrong} of ${lines.length}, ${expected.length} expected`);
      }
      for (const line of lines) {
        const { body } = reader(line);
        if (!recordedBytes(body).equals(recordedBytes(line)) || body.bytes !== line.bytes) {
          problems.push(`round ${count}: a line was recorded as something else`);
        }
        record(body, `c${count}`);
        if (random() < 0.3) {
          record(ownEvent(random), `c${count}`);
        }
      }
      if (timeline.rows(0, 50).length === 0 || timeline.recorded > 200_000) {
        timeline = new Timeline();
      }
    }
    expect(problems.slice(0, 20)).toEqual([]);
  });
});
