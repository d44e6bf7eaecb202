import type { Random } from '../../../../src/base/clock.ts';
import { type LeftOutCounts, type SessionHeader, writeSession } from '../../../../src/core/export/sessionFile.ts';
import { readSession, type SessionItem } from '../../../../src/core/export/sessionReader.ts';
import type {
  ChainId,
  ConnectionId,
  EventBody,
  LogEvent,
  ServerId,
  SessionId,
} from '../../../../src/protocol/events.ts';

export const header: SessionHeader = {
  faultlineSession: 1,
  exportedAt: '2026-01-01T00:00:00.000Z',
  faultline: '0.1.0',
  sessions: [{ id: 's1', name: 'first' }],
  redacted: false,
  leftOut: [],
};

export function event(seq: number, body: EventBody, more: Partial<LogEvent> = {}): LogEvent {
  return {
    seq,
    session: 's1' as SessionId,
    server: 'demo:shop' as ServerId,
    connection: 'c1' as ConnectionId,
    wallUs: seq * 1000,
    monoUs: seq * 1000,
    origin: 'client',
    body,
    ...more,
  };
}

export async function written(
  events: readonly LogEvent[],
  of: SessionHeader = header,
  leftOut: LeftOutCounts = {},
): Promise<string> {
  let text = '';
  for await (const piece of writeSession(of, events, () => leftOut)) {
    text += piece;
  }
  return text;
}

/** Every item of a file that arrives in chunks of `size` bytes. */
export async function items(file: string | Uint8Array, size = 7, maxLineBytes?: number): Promise<SessionItem[]> {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) {
      yield bytes.subarray(at, at + size);
    }
  }
  const found: SessionItem[] = [];
  for await (const item of readSession(chunks(), maxLineBytes)) {
    found.push(item);
  }
  return found;
}

export const eventsOf = (found: readonly SessionItem[]) =>
  found.flatMap((item) => (item.kind === 'event' ? [item.event] : []));

export const problemsOf = (found: readonly SessionItem[]) =>
  found.flatMap((item) => (item.kind === 'problem' ? [item.problem] : []));

const TEXTS = [
  '',
  '{"jsonrpc":"2.0"}',
  'line\u2028end',
  '\ud800 lone',
  'nul\0',
  '"\\\\"',
  '日本語 🙂',
  '\u001b[2J',
  '</script>',
];

/** Events of every kind with texts that are hard to carry. */
export function randomEvents(random: Random, count: number): LogEvent[] {
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T;
  const text = () => pick(TEXTS) + pick(TEXTS);
  const bytes = () => Uint8Array.from({ length: Math.floor(random() * 9) }, () => Math.floor(random() * 256));
  const makers: readonly (() => EventBody)[] = [
    () => ({
      kind: 'message',
      direction: pick(['sent', 'received']),
      raw: text(),
      ...(random() < 0.3 ? { rawBytes: bytes() } : {}),
      bytes: 12,
      envelope: pick([
        { kind: 'request', id: text(), method: text(), progressToken: 1 },
        { kind: 'error', id: null, code: -32603 },
        { kind: 'invalid', problem: 'not-json' },
        { kind: 'batch', size: 2 },
      ]),
      ...(random() < 0.5 ? { http: 'h1' } : {}),
    }),
    () => ({ kind: 'noise', stream: 'stdout', raw: text(), rawBytes: bytes(), bytes: 3, problem: 'not-json' }),
    () => ({ kind: 'stderr', line: text(), level: 'unknown' }),
    () => ({
      kind: 'http',
      id: 'h1',
      method: 'POST',
      url: 'http://localhost/mcp',
      status: 200,
      requestHeaders: { accept: text() },
      responseHeaders: {},
      durationUs: 5,
      failure: { reason: 'reset', message: text(), exitCode: null, stderrTail: [text()] },
    }),
    () => ({ kind: 'lifecycle', detail: { step: 'spawn', command: text(), args: [text()], cwd: text() } }),
    () => ({
      kind: 'attempt',
      chain: text() as ChainId,
      number: 1,
      maxAttempts: 3,
      decision: 'send',
      token: text(),
      reason: 'retry.first',
      replayOf: 1.5,
    }),
    () => ({ kind: 'local-end', id: 1, end: { kind: 'timeout', limit: 'idle', afterMs: 10, progressSeen: false } }),
    () => ({ kind: 'note', note: { type: 'mark', text: text() } }),
  ];
  let seq = 0;
  return Array.from({ length: count }, () => {
    seq += 1 + Math.floor(random() * 3);
    return event(seq, pick(makers)());
  });
}
