import { describe, expect, it } from 'vitest';
import { nextFailureLine } from '../../../../src/host/timeline/textLines.ts';
import { timelineText } from '../../../../src/host/timeline/timelineText.ts';
import type { RowView } from '../../../../src/protocol/timelineViews.ts';

const labels = { time: 'Time', server: 'Server', call: 'Call', outcome: 'Outcome', duration: 'ms', why: 'Why' };
const noon = new Date(2026, 0, 31, 12, 0, 0).getTime() * 1000;

function row(key: number, overrides: Partial<RowView> = {}): RowView {
  return {
    key,
    kind: 'request',
    depth: 0,
    isExpandable: false,
    isExpanded: false,
    startUs: noon + key * 1000,
    durationUs: 20_000,
    server: 'shop',
    method: 'tools/call',
    initiator: 'client',
    outcome: 'success',
    outcomeText: 'success',
    reason: '',
    marks: [],
    bytes: 100,
    ...overrides,
  };
}

const failed = { outcome: 'tool_error', outcomeText: 'tool error', reason: 'No such book.' } as const;

describe('timelineText', () => {
  it('aligns the columns and gives each row its line', () => {
    const { text, lines } = timelineText(
      ['Faultline timeline'],
      [
        row(1, { method: 'tools/list' }),
        row(2, { target: 'order', durationUs: 1_234_000, ...failed, marks: [{ mark: 'retried', text: 'retried' }] }),
        row(-2, { depth: 1, target: 'order', durationUs: 500, ...failed, attempt: { number: 1, of: 3 } }),
        row(3, { outcome: 'pending', outcomeText: 'pending', durationUs: undefined as never }),
      ],
      labels,
    );
    expect(text).toBe(
      [
        'Faultline timeline',
        '',
        'Time          Server  Call        Outcome             ms  Why',
        '',
        '2026-01-31',
        '12:00:00.001  shop    tools/list  success             20',
        '12:00:00.002  shop    order       tool error        1234  No such book. [retried]',
        '11:59:59.998  shop      order     tool error (1/3)   0.5  No such book.',
        '12:00:00.003  shop    tools/call  pending',
        '',
      ].join('\n'),
    );
    expect(lines).toEqual([
      { line: 5, key: 1, isFailure: false, timeLength: 12 },
      { line: 6, key: 2, isFailure: true, timeLength: 12 },
      { line: 7, key: -2, isFailure: false, timeLength: 12 },
      { line: 8, key: 3, isFailure: false, timeLength: 12 },
    ]);
  });

  it('names each new day', () => {
    const { text } = timelineText([], [row(1), row(2, { startUs: noon + 86_400_000_000 })], labels);
    expect(text.match(/^2026-\d\d-\d\d$/gm)).toEqual(['2026-01-31', '2026-02-01']);
  });

  it('cuts long names and keeps hostile text on its line', () => {
    const hostile = row(1, { ...failed, server: 'x'.repeat(99), target: 'a\nb\u202ec', reason: '\u001b[31mred\nline' });
    const { text, lines } = timelineText([], [hostile], labels);
    const [line = ''] = text.split('\n').slice(lines[0]?.line);
    expect(line).toContain(`${'x'.repeat(24)}…  a b\\u202ec  tool error`);
    expect(line).toMatch(/ {2}\\u001b\[31mred line$/);
    expect(text.split('\n')).toHaveLength(6);
  });

  it('lists nothing under its head when there is nothing', () => {
    expect(timelineText(['Nothing.'], [], labels)).toEqual({ text: 'Nothing.\n\n', lines: [] });
  });
});

describe('nextFailureLine', () => {
  const lines = [2, 3, 4, 5].map((line) => ({ line, key: line, isFailure: line === 3 || line === 5, timeLength: 12 }));

  it.each([
    [0, 1, 3],
    [3, 1, 5],
    [5, 1, 3],
    [4, -1, 3],
    [3, -1, 5],
    [0, -1, 5],
  ] as const)('from line %i in direction %i is line %i', (from, direction, line) => {
    expect(nextFailureLine(lines, from, direction)?.line).toBe(line);
  });

  it('is none where none failed', () => {
    expect(nextFailureLine([], 0, 1)).toBeUndefined();
  });
});
