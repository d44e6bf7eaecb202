import { describe, expect, it } from 'vitest';
import { formatText } from '../../../../src/base/text.ts';
import { bugReportHtml, SHOWN_EXCHANGES } from '../../../../src/core/export/bugReport.ts';
import { bugReportStyle } from '../../../../src/core/export/bugReportStyle.ts';
import { chosenEvents } from '../../../../src/core/export/chosenEvents.ts';
import { cutPayload } from '../../../../src/core/export/cutPayload.ts';
import { createOutgoing } from '../../../../src/core/export/outgoing.ts';
import type { EventBody, LogEvent } from '../../../../src/protocol/events.ts';
import type { Exchange } from '../../../../src/protocol/exchange.ts';
import { TEXTS } from '../../../../src/protocol/texts.ts';
import { attempt, call, finalStates, lifecycle, ok, received, recorded, sent } from '../classify/support.ts';
import { event } from './support.ts';

const say = (code: string, args = {}) => formatText(TEXTS[code] ?? code, args);
const unchanged = (one: LogEvent) => one;
const hostile = '</pre><script>alert(1)</script><img src=x onerror=alert(2)>"\'\u202e\u0000\ud800';

function page(events: readonly LogEvent[], exchanges: readonly Exchange[] = finalStates(events)): string {
  return bugReportHtml({
    version: '0.1.0',
    exportedAt: '2026-01-01T00:00:00.000Z',
    environment: 'linux x64',
    sessionFile: 'report.faultline.jsonl',
    exchanges,
    eventAt: (seq) => events.find((one) => one.seq === seq),
    leftOut: { stderr: 4 },
    say,
  });
}

describe('the page of a bug report', () => {
  const events = recorded([
    lifecycle({ step: 'spawn', command: hostile, args: [] }),
    sent(call(1, hostile)),
    received(ok(1, `Error: ${hostile}`)),
    { kind: 'noise', stream: 'stdout', raw: hostile, bytes: 9, problem: 'not-json' },
  ]);

  it('shows outcome, reason, request and answer of each exchange', () => {
    const html = page(recorded([sent(call(1, 'get_author')), received(ok(1, 'Error: no book titled Dun'))]));
    expect(html).toContain('silent error</b> <code>#1</code> demo:shop · tools/call get_author · 1.0 ms');
    expect(html).toContain('isError is not set');
    expect(html).toMatch(/<h3>Request, \d+ B<\/h3>\n<pre>\{&quot;jsonrpc&quot;/);
    expect(html).toMatch(/<h3>Answer, \d+ B<\/h3>/);
  });

  it('escapes all that a server wrote', () => {
    const html = page(events);
    expect(html).not.toContain('<script');
    expect(html).not.toContain('<img');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it is about
    expect(html).not.toMatch(/[\u0000-\u0008\u202e]/);
    expect(html.isWellFormed()).toBe(true);
    expect(html).toContain('&lt;/pre&gt;&lt;script&gt;');
  });

  it('is one file that loads nothing, with a policy that lets its own style alone through', () => {
    const html = page(events);
    expect(html).not.toMatch(/<[^>]*\s(?:src|href|style|on\w+)=/i);
    expect(html).toMatch(/default-src 'none'; style-src 'sha256-[\w+/=]{44}'/);
    expect(html).toContain(`<style>${bugReportStyle}</style>`);
  });

  it('says what was left out, with how often', () => {
    const html = page(events);
    expect(html).toContain('<li>lines that servers wrote to stderr: 4</li>');
    expect(html).toContain('<li>messages over a size, cut: none</li>');
    expect(html).toContain('environment variables (they are never recorded)');
  });

  it('shows a bounded number of exchanges and says how many more there are', () => {
    const [first] = finalStates(recorded([sent(call(1, 'a')), received(ok(1))]));
    const many = Array.from({ length: SHOWN_EXCHANGES + 5 }, (_, key) => ({ ...(first as Exchange), key: key + 1 }));
    const html = page([], many);
    expect(html.match(/<details/g)).toHaveLength(SHOWN_EXCHANGES);
    expect(html).toContain('5 more exchanges');
  });
});

describe('what goes out', () => {
  const out = (bodies: readonly EventBody[], maxPayloadLength = 1000) => {
    const outgoing = createOutgoing({ redact: unchanged, maxPayloadLength });
    return { events: recorded(bodies).flatMap((one) => outgoing.pass(one) ?? []), counts: outgoing.counts() };
  };

  it('has no stderr, in lines or in tails, and no working folder', () => {
    const failure = { reason: 'exited', message: 'x', stderrTail: ['secret'] } as const;
    const { events, counts } = out([
      { kind: 'stderr', line: 'secret', level: 'info' },
      lifecycle({ step: 'spawn', command: 'node', args: [], cwd: 'secret' }),
      lifecycle({ step: 'failed', failure, durationUs: 1 }),
      { kind: 'local-end', id: 1, end: { kind: 'transport', failure } },
      {
        kind: 'http',
        id: '1',
        method: 'POST',
        url: 'x',
        requestHeaders: {},
        responseHeaders: {},
        durationUs: 1,
        failure,
      },
    ]);
    expect(JSON.stringify(events)).not.toContain('secret');
    expect(events).toHaveLength(4);
    expect(counts).toEqual({ stderr: 4, 'working-folder': 1 });
  });

  it('is redacted before it is cut, so that no half of a secret stays', () => {
    const secret = `sk-${'x'.repeat(2000)}`;
    const outgoing = createOutgoing({
      redact: (one) =>
        one.body.kind === 'message' ? { ...one, body: { ...one.body, raw: one.body.raw.replace(secret, '***') } } : one,
      maxPayloadLength: 1000,
    });
    expect(JSON.stringify(outgoing.pass(event(1, received(ok(1, secret)))))).not.toContain('sk-');
  });

  it('holds long messages in a form that is judged as the whole one was', () => {
    const answer = received({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: `Error: no such table\n${'x'.repeat(50_000)}` }] },
    });
    const bodies = [sent(call(1, 'query')), answer];
    const { events, counts } = out(bodies, 8192);
    expect(counts).toEqual({ 'large-payload': 1 });
    expect(finalStates(events).map(({ verdict }) => verdict?.outcome)).toEqual(['silent_error']);
    expect(finalStates(events).map(({ verdict }) => verdict?.outcome)).toEqual(
      finalStates(recorded(bodies)).map(({ verdict }) => verdict?.outcome),
    );
  });
});

describe('a cut message', () => {
  it.each([
    ['short', '{"a":1}', '{"a":1}'],
    [
      'a long string',
      JSON.stringify({ a: 'x'.repeat(5000) }),
      JSON.stringify({ a: `${'x'.repeat(4096)}… (904 characters left out)` }),
    ],
    ['no JSON', 'y'.repeat(6000), `${'y'.repeat(4500)}… (1500 characters left out)`],
  ])('%s', (_, raw, expected) => {
    expect(cutPayload(raw, 4500)).toBe(expected);
  });

  it('has its lists cut when its strings are short', () => {
    const cut = JSON.parse(cutPayload(JSON.stringify({ list: Array.from({ length: 5000 }, (_, i) => i) }), 4500));
    expect(cut.list).toHaveLength(21);
    expect(cut.list.at(-1)).toBe('… (4980 items left out)');
  });

  it('survives nesting that cannot be written again', () => {
    expect(cutPayload(`${'['.repeat(200_000)}${']'.repeat(200_000)}`, 100)).toMatch(/^\[{100}… /);
  });
});

describe('the events of chosen exchanges', () => {
  it('are theirs, their chains, and what their connections began with', () => {
    const first = recorded([
      lifecycle({ step: 'spawn', command: 'node', args: [] }),
      sent({ jsonrpc: '2.0', id: 0, method: 'initialize', params: {} }),
      received({ jsonrpc: '2.0', id: 0, result: {} }),
      attempt('send', 1),
      sent(call(1, 'chosen', 'chain-1.1')),
      sent(call(2, 'other')),
      received(ok(2)),
      received(ok(1, 'Error: it failed')),
    ]);
    const elsewhere = recorded([sent(call(7, 'other')), received(ok(7))], { connection: 'c2', from: 9 });
    const events = [...first, ...elsewhere];
    const all = finalStates(events);
    const chosen = all.filter(({ target }) => target === 'chosen');
    const isChosen = chosenEvents(chosen, all);
    const kept = events.filter(isChosen);
    expect(kept.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 8]);
    expect(finalStates(kept).find(({ target }) => target === 'chosen')).toEqual(chosen[0]);
  });
});
