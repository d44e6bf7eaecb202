import { describe, expect, it } from 'vitest';
import { ErrorTemplates } from '../../../../src/core/report/errorTemplates.ts';
import { errorTokens, templateText } from '../../../../src/core/report/errorTokens.ts';
import type { ErrorTemplate } from '../../../../src/protocol/report.ts';
import type { AgentAct } from '../../../../src/protocol/reportTerms.ts';

function templatesOf(texts: readonly string[], acts: ReadonlySet<AgentAct> = new Set()): readonly ErrorTemplate[] {
  const templates = new ErrorTemplates();
  for (const [index, text] of texts.entries()) {
    templates.add({ key: index + 1, outcome: 'tool_error', text, us: (index + 1) * 1000, acts });
  }
  return templates.result();
}

/** `<count> <template>` of each. */
const brief = (texts: readonly string[]) => templatesOf(texts).map(({ count, template }) => `${count} ${template}`);

const masked: readonly (readonly [name: string, text: string, template: string])[] = [
  ['numbers', 'took 1,204.5 ms, -3 left', 'took ‹…› ms, ‹…› left'],
  ['quotations', `no book "Dun" in 'all books' of “Mr. X” and \`y\``, 'no book ‹…› in ‹…› of ‹…› and ‹…›'],
  ['an apostrophe is none', "can't open, don't try", "can't open, don't try"],
  ['paths', 'ENOENT: /home/me/c.txt or C:\\Users\\me\\x.txt or ./src/a.ts', 'ENOENT: ‹…› or ‹…› or ‹…›'],
  ['addresses', 'GET https://example.org/a?b=1 by me@example.org', 'GET ‹…› by ‹…›'],
  ['ids', 'row 123e4567-e89b-12d3-a456-426614174000 at 0xdeadbeef of deadbeef01', 'row ‹…› at ‹…› of ‹…›'],
  ['times', 'since 2026-01-02T03:04:05.678Z until 2026-01-03', 'since ‹…› until ‹…›'],
  ['placeholders of secrets', 'key [redacted:token:1234] is wrong', 'key ‹…› is wrong'],
  ['the code of an error stays', 'HTTP 404: status 500, code 7', 'HTTP 404: status 500, code 7'],
  ['names of members stay', '{"error": "no such city", "id": 7}', '{"error": ‹…›, "id": ‹…›}'],
  ['words with a number at the end', 'ord_123 and SKU-9', 'ord_‹…› and SKU‹…›'],
  ['other scripts', 'Größe 12 überschritten, заказ 7 не найден', 'Größe ‹…› überschritten, заказ ‹…› не найден'],
  ['without spaces', '订单12345不存在', '订单‹…›不存在'],
  ['other digits', 'خطأ ٣٤٥', 'خطأ ‹…›'],
  ['nothing', '', ''],
];

describe('the words of an error', () => {
  it.each(masked)('%s', (_, text, template) => expect(templateText(errorTokens(text))).toBe(template));

  it('are those of its beginning', () => {
    expect(errorTokens('word '.repeat(10_000))).toHaveLength(48);
    expect(templateText(errorTokens(`${'a'.repeat(999)}😀`)).isWellFormed()).toBe(true);
  });

  it.each([
    ['quotes that never end', `'"“«\`'"“«\``.repeat(20_000)],
    ['slashes', '/'.repeat(200_000)],
    ['hex digits', 'a1'.repeat(100_000)],
    ['digits', '1.'.repeat(100_000)],
    ['addresses without an end', 'a://'.repeat(50_000)],
    ['mails without an end', 'a@a.'.repeat(50_000)],
    ['lone surrogates', '\ud800'.repeat(100_000)],
    ['marks', 'e\u0301'.repeat(100_000)],
  ])('are few, of %s too', (_, text) => {
    const tokens = errorTokens(text);
    expect(tokens.length).toBeLessThanOrEqual(48);
    expect(templateText(tokens).isWellFormed()).toBe(true);
  });
});

const gathered: readonly (readonly [name: string, texts: readonly string[], expected: readonly string[]])[] = [
  ['what differs in a number', ['row 1 is bad', 'row 2 is bad'], ['2 row ‹…› is bad']],
  [
    'what differs in a word',
    ['user alice was not found', 'user bob was not found', 'user carol was not found'],
    ['3 user ‹…› was not found'],
  ],
  [
    'not what begins otherwise',
    ['no such book today', 'nope such book today'],
    ['1 no such book today', '1 nope such book today'],
  ],
  ['not what is of another length', ['not found', 'not found at all'], ['1 not found', '1 not found at all']],
  [
    'not what has little in common',
    ['cannot open the file now', 'cannot reach a host yet'],
    ['1 cannot open the file now', '1 cannot reach a host yet'],
  ],
  ['not two codes', ['HTTP 404 for 1', 'HTTP 500 for 2'], ['1 HTTP 404 for ‹…›', '1 HTTP 500 for ‹…›']],
  ['the most frequent first', ['b', 'a', 'a'], ['2 a', '1 b']],
  ['numbers alone', ['12', '13'], ['2 ‹…›']],
  ['empty texts', ['', ''], ['2 ']],
];

describe('templates', () => {
  it.each(gathered)('gather %s', (_, texts, expected) => expect(brief(texts)).toEqual(expected));

  it('never become wildcards altogether, however many texts differ in one place or another', () => {
    const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];
    const texts = Array.from({ length: 25 }, (_, index) =>
      ['get', 'the', 'old', 'file', 'now']
        .map((word, at) => (index % 5 === at && at > 0 ? words[index % 5] : word))
        .join(' '),
    );
    for (const { template } of templatesOf(texts)) {
      expect(template.split(' ').filter((word) => word !== '‹…›').length).toBeGreaterThanOrEqual(3);
    }
  });

  it('tell when, where and how a text was seen, and what came after it', () => {
    const texts = Array.from({ length: 9 }, (_, index) => `row ${index} is bad`);
    expect(templatesOf(texts, new Set<AgentAct>(['blind_retry', 'recovery']))).toEqual([
      {
        template: 'row ‹…› is bad',
        count: 9,
        outcomes: { tool_error: 9 },
        firstUs: 1000,
        lastUs: 9000,
        rows: [1, 6, 7, 8, 9],
        examples: ['row 0 is bad', 'row 1 is bad', 'row 2 is bad'],
        blindRetries: 9,
        recoveries: 9,
        giveUps: 0,
      },
    ]);
  });

  it('are bounded, and count what found no room', () => {
    const templates = new ErrorTemplates();
    const word = (index: number) =>
      String.fromCharCode(97 + (index % 26), 97 + (Math.floor(index / 26) % 26), 97 + Math.floor(index / 676));
    for (let index = 0; index < 1000; index += 1) {
      templates.add({ key: index, outcome: 'timeout', text: word(index), us: 0, acts: new Set() });
    }
    expect({ known: templates.result().length, others: templates.others }).toEqual({ known: 100, others: 900 });
  });
});
