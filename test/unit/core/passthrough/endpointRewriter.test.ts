import { describe, expect, it } from 'vitest';
import { createEndpointRewriter } from '../../../../src/core/passthrough/endpointRewriter.ts';
import { seededRandom } from '../../support/seededRandom.ts';

const SERVER = 'http://up:9';
const OWN = 'http://127.0.0.1:1';

function rewrite(text: string, random?: () => number) {
  const notes: string[] = [];
  const rewriter = createEndpointRewriter(SERVER, OWN, (from, to) => notes.push(`${from} ${to}`));
  const bytes = Buffer.from(text);
  const out: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = random === undefined ? bytes.length : 1 + Math.floor(random() * 8);
    out.push(rewriter.push(bytes.subarray(at, at + size)));
    at += size;
  }
  out.push(rewriter.end());
  return { text: Buffer.concat(out).toString('utf8'), notes };
}

const REST = 'event: message\ndata: {"a":"http://up:9/x"}\n\n: comment\n\n';
const cases: readonly (readonly [string, string, string])[] = [
  [
    'an absolute endpoint',
    `event: endpoint\ndata: ${SERVER}/m?s=1\n\n${REST}`,
    `event: endpoint\ndata: ${OWN}/m?s=1\n\n${REST}`,
  ],
  [
    'one with carriage returns',
    `event:endpoint\r\ndata:${SERVER}/m\r\n\r\n${REST}`,
    `event:endpoint\r\ndata:${OWN}/m\r\n\r\n${REST}`,
  ],
  ['one with an id', `event: endpoint\nid: 1\ndata: ${SERVER}/m$&\n\n`, `event: endpoint\nid: 1\ndata: ${OWN}/m$&\n\n`],
];
const same: readonly (readonly [string, string])[] = [
  ['a relative endpoint', `event: endpoint\ndata: /m?s=1\n\n${REST}`],
  ['an endpoint of somebody else', `event: endpoint\ndata: http://other:9/m\n\n${REST}`],
  ['a message first', `event: message\ndata: {"a":"${SERVER}"}\n\nevent: endpoint\ndata: ${SERVER}/m\n\n`],
  ['data first', `data: ${SERVER}/m\nevent: endpoint\n\n`],
  ['a stream that ends within', `event: endpoint\ndata: ${SERVER}/m`],
  ['a first event without end', `event: endpoint\ndata: ${'x'.repeat(20_000)}`],
  ['nothing', ''],
];

describe('the endpoint of HTTP+SSE', () => {
  it.each(cases)('is changed for %s, and nothing else', (_, text, expected) => {
    for (let seed = 0; seed < 10; seed += 1) {
      expect(rewrite(text, seed === 0 ? undefined : seededRandom(seed)).text).toBe(expected);
    }
    expect(rewrite(text).notes).toHaveLength(1);
  });

  it.each(same)('leaves %s as it is', (_, text) => {
    for (let seed = 0; seed < 10; seed += 1) {
      expect(rewrite(text, seed === 0 ? undefined : seededRandom(seed))).toEqual({ text, notes: [] });
    }
  });

  it('holds nothing back that cannot be an endpoint', () => {
    const rewriter = createEndpointRewriter(SERVER, OWN, () => undefined);
    expect(Buffer.from(rewriter.push(Buffer.from('data: 1'))).toString()).toBe('data: 1');
  });
});
