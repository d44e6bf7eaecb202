import { describe, expect, it } from 'vitest';
import { OURS, type PeerRow } from '../../../bench/peers/row.ts';
import { peerTable, withTable } from '../../../bench/peers/table.ts';

const facts = { date: '2026-12-01', machine: 'two cores', versions: ['Node.js 22', 'mcp-proxy 6'] };
const rows: readonly PeerRow[] = [
  { measure: 'cost', subject: OURS, value: 20, unit: 'µs' },
  { measure: 'time', subject: OURS, value: 500, unit: 'ms' },
  { measure: 'cost', subject: 'mcp-proxy', value: 613.4, unit: 'µs', note: 'a | b\n c' },
  { measure: 'time', subject: 'mcp-proxy', value: Number.NaN, unit: 'ms', note: 'given up' },
  { measure: 'false alarms', subject: OURS, value: 0, unit: '' },
  { measure: 'false alarms', subject: 'search', value: 7, unit: '' },
  { measure: 'memory', subject: 'mcp-proxy', value: 123_456_789, unit: 'bytes' },
  { measure: 'slow', subject: OURS, value: 110_000, unit: 'ms' },
  { measure: 'slow', subject: 'Inspector', value: 220_000, unit: 'ms', isAtLeast: true },
];

describe('the table of peers', () => {
  it('keeps a measure together, with ratios to ours and none that cannot be', () => {
    expect(peerTable(rows, facts).split('\n')).toEqual([
      'Found on 2026-12-01, all in one run: two cores, Node.js 22, mcp-proxy 6.',
      '',
      '| measure | program | found | to ours | note |',
      '| --- | --- | ---: | ---: | --- |',
      '| cost | Faultline | 20 µs | 1 |  |',
      '|  | mcp-proxy | 613 µs | 30.7 | a \\| b c |',
      '| time | Faultline | 500 ms | 1 |  |',
      '|  | mcp-proxy | – | – | given up |',
      '| false alarms | Faultline | 0 | – |  |',
      '|  | search | 7 | – |  |',
      '| memory | mcp-proxy | 123.5 MB | – |  |',
      '| slow | Faultline | 110.0 s | 1 |  |',
      '|  | Inspector | > 220.0 s | > 2 |  |',
    ]);
  });

  it('goes between its markers, and again in the place of the last', () => {
    const document = 'before\n<!-- bench:peers tap begin -->\nold\n<!-- bench:peers tap end -->\nafter\n';
    const once = withTable(document, 'tap', 'new');
    expect(once).toBe('before\n<!-- bench:peers tap begin -->\n\nnew\n\n<!-- bench:peers tap end -->\nafter\n');
    expect(withTable(once ?? '', 'tap', 'new')).toBe(once);
  });

  it.each([
    ['no marker'],
    ['<!-- bench:peers lint begin --><!-- bench:peers lint end -->'],
    ['<!-- bench:peers tap begin -->'],
    ['<!-- bench:peers tap end --> <!-- bench:peers tap begin -->'],
  ])('goes nowhere without them: %s', (document) => expect(withTable(document, 'tap', 'new')).toBeUndefined());
});
