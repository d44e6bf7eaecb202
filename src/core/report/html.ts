import { OUTCOME_KINDS } from '../../protocol/outcome.ts';
import type { Report, ReportFix, ReportTool } from '../../protocol/report.ts';
import { htmlText } from '../export/htmlText.ts';
import { OUTCOME_SHAPES } from '../export/outcomeShapes.ts';
import { agentsByClient } from './agentsByClient.ts';
import { latencyStrip, outcomeBar, timeChart } from './charts.ts';
import { htmlCode, htmlPage, htmlRows, htmlTable, htmlTool, type PageFrame } from './htmlPage.ts';
import { hintsOf, isRemarkable, type ReportVoice, ReportWords } from './reportWords.ts';

/** Tools that are told in full, and error texts of each. */
const MAX_TOOLS = 200;
const MAX_ERRORS = 30;
/** Tools whose details are open at once. */
const OPEN_TOOLS = 3;

/** A report as a page that needs nothing else. All text of servers and clients is escaped. */
export function reportHtml(report: Report, voice: ReportVoice, frame: PageFrame): string {
  const words = new ReportWords(voice);
  const [summary = '', ...scope] = words.head(report);
  const body = [
    `<p>${htmlText(summary)}</p>`,
    ...scope.map((line) => `<p class="faint small">${htmlText(line)}</p>`),
    ...(report.totals.calls === 0
      ? []
      : [overview(report, words), fixes(report, words), agents(report, words), tools(report, words)]),
    neverCalled(report, words),
    footer(report, words),
  ];
  return htmlPage(words.say('usability.title'), body, words, frame);
}

function overview({ totals, timeline }: Report, words: ReportWords): string {
  const { time } = words.voice;
  const [first] = timeline.buckets;
  const args = {
    calls: words.number(totals.calls),
    failures: words.number(totals.failures),
    from: time(first?.fromUs ?? 0),
  };
  const told = OUTCOME_KINDS.filter((kind) => (totals.outcomes[kind] ?? 0) > 0);
  const legend = told.map((kind) => {
    const square = `<svg width="10" height="10" aria-hidden="true"><rect class="o-${kind}" width="10" height="10"/></svg>`;
    return `<li>${square} ${OUTCOME_SHAPES[kind]} ${words.number(totals.outcomes[kind] ?? 0)} ${htmlText(words.say(`usability.outcome.${kind}`))}</li>`;
  });
  return [
    `<div class="tiles">${tiles(totals, words).join('')}</div>`,
    `<div class="whole">${outcomeBar(totals.outcomes, outcomeLabel(totals.outcomes, words), 720)}<ul class="legend small">${legend.join('')}</ul></div>`,
    `<p class="faint small">${htmlText(words.say('usability.time'))}</p>`,
    timeChart(timeline, words.say('usability.time.label', args)),
  ].join('\n');
}

function tiles(
  { calls, failures, outcomes, tools, answerBytes }: Report['totals'],
  words: ReportWords,
): readonly string[] {
  const tile = (value: string, label: string) =>
    `<div class="tile"><b>${htmlText(value)}</b><span class="faint small">${htmlText(label)}</span></div>`;
  return [
    tile(words.number(calls), words.say('usability.column.calls')),
    tile(words.percent(failures, calls), words.say('usability.column.failed')),
    tile(words.number(outcomes.silent_error ?? 0), words.say('usability.part.silent_error')),
    tile(words.number(tools), words.say('usability.tools')),
    tile(words.bytes(answerBytes), words.say('usability.answers')),
  ];
}

function outcomeLabel(outcomes: ReportTool['outcomes'], words: ReportWords): string {
  return OUTCOME_KINDS.filter((kind) => (outcomes[kind] ?? 0) > 0)
    .map((kind) => `${words.number(outcomes[kind] ?? 0)} ${words.say(`usability.outcome.${kind}`)}`)
    .join(', ');
}

function section(title: string, ...content: readonly string[]): string {
  return [`<section>`, `<h2>${htmlText(title)}</h2>`, ...content, '</section>'].join('\n');
}

function fixes(report: Report, words: ReportWords): string {
  const most = report.fixFirst[0]?.points ?? 1;
  const items = report.fixFirst.map((fix) => fixItem(fix, most, report, words));
  return section(
    words.say('usability.fix'),
    items.length === 0
      ? `<p>${htmlText(words.say('usability.fix.none'))}</p>`
      : `<ol class="fixes">\n${items.join('\n')}\n</ol>`,
  );
}

function fixItem(fix: ReportFix, most: number, report: Report, words: ReportWords): string {
  const { problem, points, rows, source } = fix;
  const value = Math.max(1, Math.round((100 * points) / most));
  return [
    `<li><h3>${htmlText(words.say(`usability.problem.${problem}`))} · ${htmlTool(fix, words)}</h3>`,
    `<p>${htmlText(words.remedy(fix, hintsOf(report, fix)))}${source === undefined ? '' : ` ${htmlText(words.say('usability.fix.source', { source: words.source(source) }))}`}</p>`,
    `<svg class="meter" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="4"/><rect class="value" width="${value}" height="4"/></svg>`,
    `<p class="faint small">${htmlText(words.points(fix))}</p>`,
    rows.length === 0 ? '' : `<p>${htmlRows(rows, words)}</p>`,
    '</li>',
  ].join('');
}

function agents({ agents: verdicts }: Report, words: ReportWords): string {
  const cards = agentsByClient(verdicts).map((client) => {
    const evidence = client.evidence.map(
      ({ kind, tool, exchanges, count }) =>
        `<li>${htmlText(words.act(kind, 1, count))} · ${htmlCode(tool)} ${htmlRows(exchanges, words)}</li>`,
    );
    return [
      `<div class="card"><h3>${htmlText(words.client(client))} <span class="grade grade-${client.grade}">${htmlText(words.say(`usability.grade.${client.grade}`))}</span></h3>`,
      `<p>${htmlText(words.agent(client))}</p>`,
      evidence.length === 0 ? '' : `<ul class="plain small">${evidence.join('')}</ul>`,
      '</div>',
    ].join('');
  });
  return section(
    words.say('usability.agents'),
    cards.length === 0
      ? `<p>${htmlText(words.say('usability.agents.none'))}</p>`
      : `<div class="agents">\n${cards.join('\n')}\n</div>`,
  );
}

function tools(report: Report, words: ReportWords): string {
  const head = ['tool', 'calls', 'failed', 'outcomes', 'p50', 'p95', 'p99', 'latency', 'largest'];
  const table = htmlTable(
    head.map((name) => htmlText(words.say(`usability.column.${name}`))),
    'wnnlnnnln',
    report.tools.slice(0, MAX_TOOLS).map((tool) => toolRow(tool, words)),
  );
  const told = report.tools.filter(isRemarkable).slice(0, MAX_TOOLS);
  return section(
    words.say('usability.tools'),
    table,
    ...told.map((tool, index) => toolDetails(tool, index < OPEN_TOOLS, words)),
  );
}

function toolRow(tool: ReportTool, words: ReportWords): readonly string[] {
  const { latency, outcomes, bytes } = tool;
  const values = [latency?.p50Us, latency?.p95Us, latency?.p99Us].map((us) => words.measure(us, 'us'));
  const label = `p50 ${values[0]}, p95 ${values[1]}, p99 ${values[2]}`;
  const largest = htmlText(words.bytes(bytes.largestAnswer));
  const link = bytes.largestRow === undefined ? undefined : words.voice.rowLink?.(bytes.largestRow);
  return [
    htmlTool(tool, words),
    words.number(tool.calls),
    words.percent(tool.failures, tool.calls),
    outcomeBar(outcomes, outcomeLabel(outcomes, words)),
    ...values,
    latency === undefined ? '' : latencyStrip(latency, label),
    link === undefined ? largest : `<a href="${htmlText(link)}">${largest}</a>`,
  ].map(String);
}

function toolDetails(tool: ReportTool, isOpen: boolean, words: ReportWords): string {
  const { silent, errors, recoveries } = tool;
  const command = words.voice.showCommand?.(tool.server, tool.tool);
  const notes = [
    ...(silent === undefined ? [] : [silentLine(silent, words)]),
    ...words.notes(tool).map(htmlText),
    ...(command === undefined ? [] : [`${htmlText(words.say('usability.show'))} ${htmlCode(command)}`]),
  ];
  const head = ['count', 'error', 'then', 'seen', 'rows'].map((name) =>
    htmlText(words.say(`usability.column.${name}`)),
  );
  const rest = errors.slice(MAX_ERRORS).reduce((sum, { count }) => sum + count, tool.otherErrors);
  return [
    `<details${isOpen ? ' open' : ''}>`,
    `<summary><h3>${htmlTool(tool, words)}</h3> <span class="faint small">${htmlText(outcomeLabel(tool.outcomes, words))}</span></summary>`,
    notes.length === 0 ? '' : `<ul class="plain">${notes.map((note) => `<li>${note}</li>`).join('')}</ul>`,
    htmlTable(
      head,
      'ntlll',
      errors.slice(0, MAX_ERRORS).map((error) => errorRow(error, words)),
      'stack',
    ),
    rest === 0
      ? ''
      : `<p class="faint small">${htmlText(words.say('usability.errors.others', { count: words.number(rest) }))}</p>`,
    recoveries.length === 0 ? '' : `<p><b>${htmlText(words.say('usability.recoveries'))}</b></p>`,
    recoveries.length === 0
      ? ''
      : `<ul class="plain">${recoveries.map((recovery) => recoveryItem(recovery, words)).join('')}</ul>`,
    '</details>',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function errorRow(error: ReportTool['errors'][number], words: ReportWords): readonly string[] {
  const { template, examples, count, firstUs, lastUs, rows } = error;
  // What stands word for word in the template needs no example.
  const others = examples.filter((example) => example !== template && words.error(template) === template);
  const list = others.map((example) => `<li>${htmlText(example)}</li>`).join('');
  const { time } = words.voice;
  return [
    words.number(count),
    `${htmlCode(words.error(template))}${list === '' ? '' : `<ul class="examples faint small">${list}</ul>`}`,
    htmlText(words.aftermath(error).join(', ')),
    `<span class="small">${htmlText(words.say('usability.error.seen', { from: time(firstUs), to: time(lastUs) }))}</span>`,
    htmlRows(rows, words),
  ];
}

function recoveryItem(
  { count, changes, omitted, exchanges }: ReportTool['recoveries'][number],
  words: ReportWords,
): string {
  const told = changes.map((change) => htmlText(words.change(change)));
  const more = omitted === 0 ? [] : [htmlText(words.say('usability.recovery.more', { count: words.number(omitted) }))];
  return `<li>${words.number(count)}× ${[...told, ...more].join('; ')} ${htmlRows(exchanges, words)}</li>`;
}

function silentLine({ count, source }: NonNullable<ReportTool['silent']>, words: ReportWords): string {
  const errors = htmlText(words.counted('usability.silent', count));
  return source === undefined ? errors : `${errors}: ${htmlCode(words.source(source))}`;
}

function neverCalled({ neverCalled: servers }: Report, words: ReportWords): string {
  const items = servers.map(
    ({ server, tools: names }) => `<li>${htmlText(words.voice.nameOf(server))}: ${names.map(htmlCode).join(' ')}</li>`,
  );
  return items.length === 0
    ? ''
    : section(
        words.say('usability.neverCalled'),
        `<p>${htmlText(words.say('usability.neverCalled.why'))}</p>`,
        `<ul class="plain">${items.join('\n')}</ul>`,
      );
}

function footer({ generatedAt, faultline, leftOut }: Report, words: ReportWords): string {
  const lines = [
    ...['calls', 'points', 'latency'].map((part) => words.say(`usability.method.${part}`)),
    ...(leftOut.calls === 0 && leftOut.agents === 0 ? [] : [words.say('usability.leftOut', leftOut)]),
    ...(leftOut.injected === 0 ? [] : [words.say('usability.injected', leftOut)]),
    words.say('usability.made', { version: faultline, time: generatedAt }),
  ];
  return `<footer class="faint small">${lines.map((line) => `<p>${htmlText(line)}</p>`).join('')}</footer>`;
}
