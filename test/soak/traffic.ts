import { randomUUID } from 'node:crypto';
import type { Clock, Random } from '../../src/base/clock.ts';
import { createNaming } from '../../src/core/passthrough/naming.ts';
import { passagesOf, weightOf } from '../../src/core/passthrough/passage.ts';
import { createPassingClock } from '../../src/core/passthrough/passingClock.ts';
import { recordStdio } from '../../src/core/passthrough/recordStdio.ts';
import { createTape } from '../../src/core/passthrough/tape.ts';
import type { ConnectionId, EventSink, SessionId } from '../../src/protocol/events.ts';

const TOOLS = ['search_books', 'get_order', 'create_order', 'list_authors', 'check_stock'];
const WORDS = 'the quick brown fox jumps over a lazy dog while books ship late and orders fail quietly'.split(' ');
/** A connection ends after so many calls and another takes its place, so that what is held of each one shows. */
const CALLS_A_CONNECTION = 500;

/** The sink of a tap, which writes what it was given when it is told to. */
export interface TapSink extends EventSink {
  flush(): void;
}

interface TalkOptions {
  readonly clock: Clock;
  readonly sink: TapSink;
  readonly random: Random;
  readonly server: string;
  readonly session: string;
}

/** A tapped conversation over stdio: what passes goes through the tap's own tape, framing, parsing and naming. */
export interface Talk {
  readonly isOver: boolean;
  /** A call with what belongs to it, sometimes with what goes wrong. */
  call(): void;
  end(): void;
}

export function beginTalk({ clock, sink, random, server, session }: TalkOptions): Talk {
  const passing = createPassingClock(clock);
  const connection = randomUUID() as ConnectionId;
  const naming = createNaming({
    sink,
    clock: passing,
    session: session as SessionId,
    connection,
    server,
    fallbackServer: 'soak',
  });
  const recording = recordStdio(naming, passing);
  const tape = createTape({
    clock,
    // As the recording thread does, without the thread.
    post: (batch) => {
      for (const passage of passagesOf(batch)) {
        passing.set(passage.monoUs, batch.wallOriginUs);
        recording.take(passage);
      }
      sink.flush();
      tape.recorded(weightOf(batch));
      return true;
    },
  });
  let calls = 0;
  let isOver = false;

  const pass = (channel: 'sent' | 'received' | 'stderr', text: string) =>
    tape.passed(channel, 0, Buffer.from(`${text}\n`));
  const send = (message: object) => pass('sent', JSON.stringify({ jsonrpc: '2.0', ...message }));
  const receive = (message: object) => pass('received', JSON.stringify({ jsonrpc: '2.0', ...message }));

  tape.happened(0, { fact: 'lifecycle', detail: { step: 'spawn', command: 'soak', args: [] } });
  send({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'soak', version: '1' } },
  });
  const serverInfo = { name: server, version: '1' };
  receive({ id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } });
  send({ method: 'notifications/initialized' });

  function answer(id: number): void {
    const draw = random();
    const text = sentence(random, 4 + Math.floor(random() ** 4 * 200));
    const content = [{ type: 'text', text }];
    if (draw < 0.05) {
      receive({ id, result: { content, isError: true } });
    } else if (draw < 0.07) {
      receive({ id, error: { code: -32603, message: text.slice(0, 100) } });
    } else if (draw < 0.08) {
      const structuredContent = { processed: 7, total: 10, failed: [{ id: 3, error: 'not found' }] };
      receive({ id, result: { content, structuredContent } });
    } else if (draw < 0.085) {
      // Nobody ever answers.
    } else if (draw < 0.0852) {
      receive({ id, result: { content: [{ type: 'text', text: sentence(random, 20_000) }] } });
    } else {
      receive({ id, result: { content } });
    }
    if (random() < 0.002) {
      receive({ id, result: { content } });
    }
  }

  return {
    get isOver() {
      return isOver;
    },
    call() {
      calls += 1;
      const token = `p${calls}`;
      const name = TOOLS[Math.floor(random() * TOOLS.length)];
      const query = sentence(random, 8);
      send({
        id: calls,
        method: 'tools/call',
        params: { name, arguments: { query, password: 'hunter2' }, _meta: { progressToken: token } },
      });
      if (random() < 0.05) {
        receive({ method: 'notifications/progress', params: { progressToken: token, progress: 1, total: 2 } });
      }
      if (random() < 0.03) {
        pass('stderr', `INFO ${query}`);
      }
      if (random() < 0.002) {
        pass('received', `debugging ${query}`);
      }
      answer(calls);
      isOver ||= calls >= CALLS_A_CONNECTION;
    },
    end() {
      tape.happened(0, { fact: 'lifecycle', detail: { step: 'exited', code: 0, signal: null, expected: true } });
      tape.flush();
      recording.end();
      sink.flush();
      isOver = true;
    },
  };
}

function sentence(random: Random, words: number): string {
  const from = Math.floor(random() * WORDS.length);
  return Array.from({ length: words }, (_, index) => WORDS[(from + index * 5) % WORDS.length]).join(' ');
}
