import { htmlText } from '../export/htmlText.ts';
import { type Comparison, type Measure, MIN_ANSWERS, MIN_CALLS, type ToolComparison } from './compareReports.ts';
import { htmlCode, htmlPage, htmlTable, htmlTool, type PageFrame } from './htmlPage.ts';
import { markdownCode, markdownTable, markdownText } from './markdownText.ts';
import { type ReportVoice, ReportWords } from './reportWords.ts';

/** Tools that are told in a comment; a page tells all. */
const MAX_TOOLS = 25;
const COLUMNS = ['measure', 'before', 'after', 'change'] as const;

/** A comparison as GitHub Flavored Markdown. All text of servers is escaped. */
export function comparisonMarkdown(comparison: Comparison, voice: ReportVoice): string {
  const words = new ReportWords(voice);
  const table = (measures: readonly Measure[]) =>
    markdownTable(
      COLUMNS.map((name) => markdownText(words.say(`usability.column.${name}`))),
      'lrrl',
      measures.map((measure) => {
        const [what, before, after, claim] = measureCells(measure, words).map(markdownText);
        return [what ?? '', before ?? '', after ?? '', isClaim(measure) ? `**${claim}**` : (claim ?? '')];
      }),
    );
  const lines = [
    `# ${markdownText(words.say('usability.compareTitle'))}`,
    '',
    ...sides(comparison, words).map((line) => `- ${markdownText(line)}`),
    '',
    `## ${markdownText(words.say('usability.compare.all'))}`,
    '',
    ...table(comparison.all),
    ...comparison.tools
      .slice(0, MAX_TOOLS)
      .flatMap((tool) => [
        `### ${markdownCode(tool.tool)} (${markdownText(voice.nameOf(tool.server))})`,
        '',
        ...table(told(tool)),
        ...errorLists(tool, words).flatMap(([title, errors]) => [
          `${markdownText(title)}:`,
          '',
          ...errors.map(({ template, count }) => `- ${words.number(count)}× ${markdownCode(words.error(template))}`),
          '',
        ]),
      ]),
    ...only(comparison, words).map(markdownText),
    '',
    markdownText(methodOf(words)),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** A comparison as a page that needs nothing else. All text of servers is escaped. */
export function comparisonHtml(comparison: Comparison, voice: ReportVoice, frame: PageFrame): string {
  const words = new ReportWords(voice);
  const table = (measures: readonly Measure[]) =>
    htmlTable(
      COLUMNS.map((name) => htmlText(words.say(`usability.column.${name}`))),
      'wnnw',
      measures.map((measure) => {
        const [what, before, after, claim] = measureCells(measure, words).map(htmlText);
        return [
          what ?? '',
          before ?? '',
          after ?? '',
          `<span class="${measure.claim}">${SIGNS[measure.claim]} ${claim}</span>`,
        ];
      }),
    );
  const body = [
    ...sides(comparison, words).map((line) => `<p>${htmlText(line)}</p>`),
    `<h2>${htmlText(words.say('usability.compare.all'))}</h2>`,
    table(comparison.all),
    `<h2>${htmlText(words.say('usability.tools'))}</h2>`,
    ...comparison.tools.map(
      (tool) => `<details${tool.measures.some(isClaim) ? ' open' : ''}>
<summary><h3>${htmlTool(tool, words)}</h3></summary>
${table(told(tool))}
${errorLists(tool, words)
  .map(
    ([title, errors]) =>
      `<p><b>${htmlText(title)}</b></p><ul class="plain">${errors
        .map(({ template, count }) => `<li>${words.number(count)}× ${htmlCode(words.error(template))}</li>`)
        .join('')}</ul>`,
  )
  .join('\n')}
</details>`,
    ),
    ...only(comparison, words).map((line) => `<p>${htmlText(line)}</p>`),
    `<footer class="faint small"><p>${htmlText(methodOf(words))}</p><p>${htmlText(
      words.say('usability.made', { version: comparison.faultline, time: comparison.generatedAt }),
    )}</p></footer>`,
  ];
  return htmlPage(words.say('usability.compareTitle'), body, words, frame);
}

const SIGNS: Readonly<Record<Measure['claim'], string>> = { better: '▼', worse: '▲', same: '=', 'too-few': '·' };

function isClaim({ claim }: Measure): boolean {
  return claim === 'better' || claim === 'worse';
}

/** What is 0 on both sides is no news. */
function told({ measures }: ToolComparison): readonly Measure[] {
  return measures.filter(({ what, before, after }) => what === 'failure_rate' || (before ?? 0) > 0 || (after ?? 0) > 0);
}

function measureCells({ what, unit, before, after, samplesBefore, samplesAfter, claim }: Measure, words: ReportWords) {
  const value = (measured: number | undefined, count: number) =>
    words.say('usability.ofCalls', { value: words.measure(measured, unit), count: words.number(count) });
  return [
    words.say(`usability.measure.${what}`),
    value(before, samplesBefore),
    value(after, samplesAfter),
    words.say(`usability.claim.${claim}`),
  ];
}

function sides({ before, after }: Comparison, words: ReportWords): readonly string[] {
  const { time } = words.voice;
  if (before.calls + after.calls === 0) {
    return [words.say('usability.compare.none')];
  }
  return [['before', before] as const, ['after', after] as const].map(([name, { label, calls, fromUs, toUs }]) => {
    const args = { label, calls: words.number(calls), from: time(fromUs), to: time(toUs) };
    const what =
      calls === 0 ? words.say('usability.compare.empty', { label }) : words.say('usability.compare.side', args);
    return `${words.say(`usability.compare.${name}`)}: ${what}`;
  });
}

function errorLists({ newErrors, goneErrors }: ToolComparison, words: ReportWords) {
  return [
    [words.say('usability.compare.newErrors'), newErrors] as const,
    [words.say('usability.compare.goneErrors'), goneErrors] as const,
  ].filter(([, errors]) => errors.length > 0);
}

function only({ onlyBefore, onlyAfter }: Comparison, words: ReportWords): readonly string[] {
  return [
    ...(onlyBefore.length === 0 ? [] : [words.say('usability.compare.onlyBefore', { tools: words.list(onlyBefore) })]),
    ...(onlyAfter.length === 0 ? [] : [words.say('usability.compare.onlyAfter', { tools: words.list(onlyAfter) })]),
  ];
}

function methodOf(words: ReportWords): string {
  return words.say('usability.compare.method', { parts: words.number(MIN_CALLS), answers: words.number(MIN_ANSWERS) });
}
