import { describe, expect, it } from 'vitest';
import { formatText } from '../../../../src/base/text.ts';
import { claimOfParts, compareReports } from '../../../../src/core/report/compareReports.ts';
import { comparisonHtml, comparisonMarkdown } from '../../../../src/core/report/comparisonText.ts';
import { reportHtml } from '../../../../src/core/report/html.ts';
import { reportMarkdown } from '../../../../src/core/report/markdown.ts';
import { markdownCode, markdownText } from '../../../../src/core/report/markdownText.ts';
import type { ReportVoice } from '../../../../src/core/report/reportWords.ts';
import { withSources } from '../../../../src/core/report/sources.ts';
import type { EventBody } from '../../../../src/protocol/events.ts';
import type { Report } from '../../../../src/protocol/report.ts';
import { TEXTS } from '../../../../src/protocol/texts.ts';
import { call, fail, listed, reportOnBodies, silent, succeed, timedOut } from './support.ts';

const voice: ReportVoice = {
  language: 'en',
  say: (code, args) => formatText(TEXTS[code] ?? code, args),
  nameOf: (server) => server.slice(server.indexOf(':') + 1),
  time: (us) => `${us} µs`,
};
const linked: ReportVoice = {
  ...voice,
  rowLink: (key) => `command:row?${key}`,
  toolLink: (server, tool) => `command:tool?${encodeURIComponent(JSON.stringify([server, tool]))}`,
};
const page = { place: 'page', hash: () => 'hash', actions: [] } as const;

/** What a server, a client and a model may call things, and put into errors. */
const HOSTILE = [
  '</code></td><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '`` ` ``` | [x](javascript:alert(1)) ![y](https://evil.example/p.png)',
  '@everyone #1 www.evil.example https://evil.example <b>&amp;',
  'a\u001b[2J\u202eb\u0000',
  '| --- |\n\n# heading\n<details open>',
  '\ud800',
];

const hostileReport = (evil: string): Report => {
  const bodies = [
    ...listed([{ name: evil }, { name: `${evil} never` }]),
    call(1, { [evil]: evil }, evil),
    fail(1, evil),
    call(2, { [evil]: evil }, evil),
    fail(2, evil),
    call(3, { [evil]: 'other' }, evil),
    succeed(3),
    call(4, {}, evil),
    timedOut(4),
    call(5, {}, 'time'),
    silent(5, `Error: ${evil} failed`),
  ];
  const report = reportOnBodies(bodies, { origin: `tap:${evil}` });
  const named = {
    ...report,
    scope: { ...report.scope, filter: evil, since: evil, sessions: [{ id: 's1', name: evil }] },
  };
  return withSources(named, () => ({ path: evil, line: 1, rule: evil }));
};

const TAG = /<\/?([a-zA-Z][\w-]*)((?:\s+[\w-]+(?:="[^"<>]*")?)*)\s*\/?>/g;
/** What moves the cursor, turns text round, or is half a character. */
const HARMFUL = /\p{Cc}(?<![\n\t])|[\u202a-\u202e\u2066-\u2069]|\p{Cs}/u;

/** Names of the tags of a page. */
const tags = (html: string) => new Set([...html.matchAll(TAG)].map(([, name]) => name));

describe('a report as HTML', () => {
  const calm = tags(reportHtml(hostileReport('calm'), linked, page));

  it.each(HOSTILE)('shows hostile text as text: %j', (evil) => {
    const html = reportHtml(hostileReport(evil), linked, page);
    const text = html.replace(/<!doctype html>|<style>[\s\S]*<\/style>/g, '').replaceAll(TAG, '');
    expect(text).not.toMatch(/[<>]/);
    expect([...tags(html)].filter((tag) => !calm.has(tag))).toEqual([]);
    expect(html).not.toMatch(HARMFUL);
  });

  it('leads to rows and source where these have a place to go to', () => {
    const html = reportHtml(hostileReport('x'), linked, page);
    expect(html).toContain('<a href="command:row?3">#3</a>');
    expect(html).toContain('href="command:tool?%5B%22demo%3Ashop%22%2C%22x%22%5D"');
    expect(reportHtml(hostileReport('x'), voice, page)).not.toContain('href=');
  });

  it('of nothing says so', () => {
    expect(reportHtml(reportOnBodies([]), voice, page)).toContain('No call of a tool was recorded here.');
    expect(reportMarkdown(reportOnBodies([]), voice)).toContain('No call of a tool was recorded here.');
  });
});

describe('a report as Markdown', () => {
  it.each(HOSTILE)('keeps hostile text within its place: %j', (evil) => {
    const markdown = reportMarkdown(hostileReport(evil), voice);
    const calm = reportMarkdown(hostileReport('calm'), voice);
    const shape = (text: string) =>
      text.split('\n').map((line) =>
        line
          .replace(/[^#|\-\d.<].*/, '')
          .slice(0, 4)
          .trim(),
      );
    expect(shape(markdown).filter((line) => line.startsWith('#')).length).toBe(
      shape(calm).filter((line) => line.startsWith('#')).length,
    );
    expect(markdown).not.toMatch(HARMFUL);
    // Within code nothing is markup.
    const outside = markdown.replaceAll(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '');
    expect(outside).not.toMatch(/(?<!\\)<(?!\/?(?:details|summary)>)/);
    expect(outside).not.toMatch(/(?<!\\)[[\]]|(?<!\\):\/\/|@\w|#\d/);
  });

  it.each([
    ['markup', '*a* _b_ [c](d) <e> `f` |g|', '\\*a\\* \\_b\\_ \\[c\\](d) \\<e\\> \\`f\\` \\|g\\|'],
    ['addresses', 'https://a.b www.a.b', 'https\\://a.b www\\.a.b'],
    ['mentions and references', '@me #12', '@\u200bme #\u200b12'],
    ['what would begin a list', '- a', '\\- a'],
    ['what would number one', '12. a', '12\\. a'],
    ['not a number', '4.5 %', '4.5 %'],
    ['line ends', 'a\nb', 'a b'],
  ])('escapes %s', (_, text, expected) => expect(markdownText(text)).toBe(expected));

  it.each([
    ['a text', 'a', '`a`'],
    ['ticks', 'a ``b`` c', '```a ``b`` c```'],
    ['ticks at the ends', '`a`', '`` `a` ``'],
    ['bars of a table', 'a|b', '`a\\|b`'],
    ['nothing', ' ', ''],
  ])('quotes %s', (_, text, expected) => expect(markdownCode(text, 'cell')).toBe(expected));
});

const sides = (failing: number, calls = 200, tool = 'weather'): Report => {
  const bodies: EventBody[] = [];
  for (let id = 1; id <= calls; id += 1) {
    bodies.push(
      call(id, { id }, tool),
      id <= failing ? fail(id, failing > 50 ? 'a new trouble' : 'no such city') : succeed(id),
    );
  }
  return reportOnBodies(bodies);
};

describe('a comparison', () => {
  it.each([
    ['a clear rise', 2, 200, 40, 200, 'worse'],
    ['a clear fall', 40, 200, 2, 200, 'better'],
    ['a little more', 10, 200, 12, 200, 'same'],
    ['nothing on both sides', 0, 200, 0, 200, 'same'],
    ['all of too few', 0, 29, 29, 29, 'too-few'],
    ['one side too small', 0, 1000, 20, 20, 'too-few'],
  ] as const)('calls %s what it is', (_, was, before, is, after, claim) =>
    expect(claimOfParts(was, before, is, after)).toBe(claim),
  );

  it('claims something of tools with enough calls alone, and names new and gone errors', () => {
    const comparison = compareReports({ label: 'A', report: sides(4) }, { label: 'B', report: sides(80) });
    expect(comparison.tools).toMatchObject([
      {
        tool: 'weather',
        newErrors: [{ template: 'a new trouble', count: 80 }],
        goneErrors: [{ template: 'no such city', count: 4 }],
      },
    ]);
    expect(comparison.tools[0]?.measures[0]).toEqual({
      what: 'failure_rate',
      unit: 'part',
      before: 0.02,
      after: 0.4,
      samplesBefore: 200,
      samplesAfter: 200,
      claim: 'worse',
    });
    const few = compareReports({ label: 'A', report: sides(0, 10) }, { label: 'B', report: sides(10, 10) });
    expect(few.tools[0]?.measures.map(({ claim }) => claim)).toEqual(Array(5).fill('too-few'));
  });

  it('reads as a table, with the numbers it is made of', () => {
    const comparison = compareReports({ label: 'A', report: sides(4) }, { label: 'B <b>', report: sides(80) });
    expect(comparisonMarkdown(comparison, voice)).toContain('| failed calls | 2 % of 200 | 40 % of 200 | **worse** |');
    const html = comparisonHtml(comparison, voice, page);
    expect(html).toContain('<td class="n">40 % of 200</td>');
    expect(html).not.toContain('<b>:');
  });

  it('names tools of one side alone', () => {
    const { onlyBefore, onlyAfter, tools } = compareReports(
      { label: 'A', report: sides(0, 5, 'old') },
      { label: 'B', report: sides(0, 5, 'new') },
    );
    expect({ onlyBefore, onlyAfter, tools }).toEqual({ onlyBefore: ['old'], onlyAfter: ['new'], tools: [] });
  });
});
