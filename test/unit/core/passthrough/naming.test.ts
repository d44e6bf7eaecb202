import { describe, expect, it } from 'vitest';
import { recordStdio } from '../../../../src/core/passthrough/recordStdio.ts';
import { happened, passed, scene, told } from './support.ts';

const started = happened({ fact: 'lifecycle', detail: { step: 'started', pid: 1 } });
const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const initialize = line({ id: 0, method: 'initialize', params: { clientInfo: { name: 'Cursor' } } });
const initialized = line({
  id: 0,
  result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'books', version: '2' } },
});
const meta = (name: string) => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name },
});
const serverMeta = { 'io.modelcontextprotocol/serverInfo': { name: 'modern', version: '1' } };

describe('names', () => {
  it('come from the handshake, for all that passed before it', () => {
    const { events, naming, passing } = scene();
    const recording = recordStdio(naming, passing);
    recording.take(started);
    recording.take(passed('sent', initialize));
    expect(events).toEqual([]);
    recording.take(passed('received', initialized));
    recording.take(passed('stderr', 'hello\n'));
    expect(told(events)).toEqual([
      'tap:Cursor tap:books lifecycle started',
      expect.stringContaining('tap:Cursor tap:books message sent request'),
      expect.stringContaining('tap:Cursor tap:books message received result'),
      'tap:Cursor tap:books lifecycle initialized',
      'tap:Cursor tap:books stderr hello',
    ]);
    expect(events[3]?.body).toEqual({
      kind: 'lifecycle',
      detail: {
        step: 'initialized',
        revision: '2025-06-18',
        serverName: 'books',
        serverVersion: '2',
        capabilities: ['tools'],
        durationUs: 0,
      },
    });
  });

  it('come from the _meta of a stateless client and server', () => {
    const { events, naming, passing } = scene();
    const recording = recordStdio(naming, passing);
    recording.take(passed('sent', line({ id: 1, method: 'tools/list', params: { _meta: meta('Agent') } })));
    recording.take(
      passed('received', line({ id: 1, result: { resultType: 'complete', tools: [], _meta: serverMeta } })),
    );
    expect(told(events).map((text) => text.split(' ').slice(0, 4).join(' '))).toEqual([
      'tap:Agent tap:modern message sent',
      'tap:Agent tap:modern message received',
      'tap:Agent tap:modern lifecycle initialized',
    ]);
  });

  it('wait on when a legacy server refuses to be discovered', () => {
    const { events, naming, passing } = scene();
    const recording = recordStdio(naming, passing);
    recording.take(passed('sent', line({ id: 'd', method: 'server/discover', params: { _meta: meta('Agent') } })));
    recording.take(passed('received', line({ id: 'd', error: { code: -32601, message: 'no' } })));
    expect(events).toEqual([]);
    recording.take(passed('sent', initialize));
    recording.take(passed('received', initialized));
    expect(new Set(told(events).map((text) => text.split(' ', 2).join(' ')))).toEqual(
      new Set(['tap:Cursor tap:books']),
    );
  });

  it('are given by a configuration rather than by the server', () => {
    const { events, naming, passing } = scene({ server: 'entry' });
    const recording = recordStdio(naming, passing);
    recording.take(passed('sent', initialize));
    recording.take(passed('received', initialized));
    expect(new Set(events.map(({ server }) => server))).toEqual(new Set(['tap:entry']));
  });

  it('are waited for two seconds, and the client is named from when it is known', async () => {
    const { clock, events, naming, passing } = scene();
    const recording = recordStdio(naming, passing);
    recording.take(started);
    await clock.advance(1999);
    expect(events).toEqual([]);
    await clock.advance(1);
    recording.take(passed('sent', initialize));
    recording.take(passed('received', initialized));
    expect(told(events).map((text) => text.split(' ').slice(0, 3).join(' '))).toEqual([
      'tap:unknown tap:fallback lifecycle',
      'tap:Cursor tap:fallback message',
      'tap:Cursor tap:fallback message',
      'tap:Cursor tap:fallback lifecycle',
    ]);
  });

  it.each([
    ['a lot that passes before', [passed('stderr', `${'x'.repeat(40_000)}\n`.repeat(30))], 30],
    [
      'an exit',
      [happened({ fact: 'lifecycle', detail: { step: 'exited', code: 1, signal: null, expected: false } })],
      1,
    ],
  ])('are not waited for beyond %s', (_, passages, count) => {
    const { events, naming, passing } = scene();
    const recording = recordStdio(naming, passing);
    for (const passage of passages) {
      recording.take(passage);
    }
    expect(events.length).toBeGreaterThan(0);
    expect(events.length).toBeLessThanOrEqual(count);
  });

  it('are one line that can be shown, whatever a client calls itself', () => {
    const name = ` Evil\n\u202eclient\u0000 ${'x'.repeat(500)}`;
    const { events, naming, passing } = scene();
    const recording = recordStdio(naming, passing);
    recording.take(passed('sent', line({ id: 0, method: 'initialize', params: { clientInfo: { name } } })));
    recording.take(passed('received', initialized));
    expect(events[0]?.origin).toMatch(/^tap:Evil client x+$/);
    expect(events[0]?.origin.length).toBe(104);
  });
});
