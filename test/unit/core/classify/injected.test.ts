import { describe, expect, it } from 'vitest';
import { Correlator } from '../../../../src/core/classify/correlate.ts';
import { judge } from '../../../../src/core/classify/judge.ts';
import { EventRedaction } from '../../../../src/core/log/redact/redactEvent.ts';
import { Redactor } from '../../../../src/core/log/redact/redactor.ts';
import { bodyProblem } from '../../../../src/protocol/eventSchema.ts';
import type { EventBody, NewLogEvent, NoteBody } from '../../../../src/protocol/events.ts';
import { call, lifecycle, ok, received, recorded, sent } from './support.ts';

const injected = (note: Partial<Extract<NoteBody['note'], { type: 'injected' }>> = {}): NoteBody => ({
  kind: 'note',
  note: { type: 'injected', fault: 'latency', rule: 'slow', requestId: 1, detail: '20 ms', ...note },
});

function rowsOf(bodies: readonly EventBody[]) {
  const correlator = new Correlator(judge);
  const rows = new Map(
    recorded(bodies).flatMap((event) => correlator.push(event).map((row) => [row.key, row] as const)),
  );
  return [...rows.values()].map(({ key, kind, verdict, marks, injected: faults, related }) => ({
    key,
    kind,
    outcome: verdict?.outcome,
    marks,
    faults,
    related,
  }));
}

const latency = { fault: 'latency', rule: 'slow', detail: '20 ms' };

describe('an injected fault', () => {
  it('is told of the request that it was injected into, and has no row of its own', () => {
    expect(rowsOf([sent(call(1, 'pay')), injected(), received(ok(1))])).toEqual([
      { key: 1, kind: 'request', outcome: 'success', marks: ['injected_fault'], faults: [latency], related: [2] },
    ]);
  });

  it('is told while the request still waits, and when it has been answered', () => {
    expect(rowsOf([sent(call(1, 'pay')), injected()])[0]?.faults).toEqual([latency]);
    expect(rowsOf([sent(call(1, 'pay')), received(ok(1)), injected()])[0]?.faults).toEqual([latency]);
  });

  it('may be one of several', () => {
    const rows = rowsOf([sent(call(1, 'pay')), injected(), injected({ fault: 'wrongId' }), received(ok(1))]);
    expect(rows[0]?.faults?.map(({ fault }) => fault)).toEqual(['latency', 'wrongId']);
    expect(rows[0]?.marks).toEqual(['injected_fault']);
  });

  it('is not told of other requests, nor of one that the server has made', () => {
    const ask = received({ jsonrpc: '2.0', id: 1, method: 'roots/list' });
    expect(rowsOf([ask, sent(call(2, 'pay')), injected()]).map(({ kind, marks }) => [kind, marks])).toEqual([
      ['request', []],
      ['request', []],
      ['note', []],
    ]);
  });
});

describe('a server that was killed on purpose', () => {
  const spawn = lifecycle({ step: 'spawn', command: 'node', args: [] });
  const exited = lifecycle({ step: 'exited', code: null, signal: 'SIGKILL', expected: false });

  it.each(['kill', 'cut'] as const)('by %s: all that goes with it is ours', (fault) => {
    const rows = rowsOf([spawn, sent(call(1, 'pay')), sent(call(2, 'pay')), injected({ fault }), exited]);
    expect(rows.map(({ kind, outcome, marks }) => [kind, outcome, marks.includes('injected_fault')])).toEqual([
      ['connection', 'transport_error', true],
      ['request', 'transport_error', true],
      ['request', 'transport_error', true],
    ]);
  });

  it('leaves what had been answered before alone', () => {
    const bodies = [
      spawn,
      sent(call(1, 'pay')),
      received(ok(1)),
      sent(call(2, 'pay')),
      injected({ fault: 'kill', requestId: 2 }),
    ];
    expect(rowsOf([...bodies, exited])[1]?.marks).toEqual([]);
  });

  it('over HTTP is one broken connection, and no more', () => {
    const rows = rowsOf([sent(call(1, 'pay')), sent(call(2, 'pay')), injected({ fault: 'kill' })]);
    expect(rows.map(({ marks }) => marks)).toEqual([['injected_fault'], []]);
  });
});

describe('the note of an injected fault', () => {
  it('is one that session files may hold', () => {
    expect(bodyProblem('note', injected({ original: { raw: '{}', bytes: 2 } }))).toBeUndefined();
    expect(bodyProblem('note', injected({ fault: 'nonsense' as never }))).toBeDefined();
  });

  it('keeps no secret of what the server really said', () => {
    const redaction = new EventRedaction(new Redactor(new Uint8Array(32)));
    const raw = '{"jsonrpc":"2.0","id":1,"result":{"password":"hunter2-hunter2"}}';
    const event = {
      body: injected({ original: { raw, bytes: raw.length } }),
      connection: 'c',
    } as unknown as NewLogEvent;
    expect(JSON.stringify(redaction.redact(event))).not.toContain('hunter2');
    const plain = { ...event, body: injected() };
    expect(redaction.redact(plain)).toBe(plain);
  });
});
