import { OUTCOME_KINDS } from '../../protocol/outcome.ts';
import type { Report, ReportFix, ReportTool } from '../../protocol/report.ts';
import { agentsByClient } from './agentsByClient.ts';
import { markdownCode, markdownTable, markdownText } from './markdownText.ts';
import { hintsOf, isRemarkable, type ReportVoice, ReportWords } from './reportWords.ts';

/** Tools that are told in full, and error texts of each: a comment on a change has room for 65,536 characters. */
const MAX_TOOLS = 25;
const MAX_ERRORS = 8;
const MAX_EVIDENCE = 30;

/** A report as GitHub Flavored Markdown, fit for a comment. All text of servers and clients is escaped. */
export function reportMarkdown(report: Report, voice: ReportVoice): string {
  const words = new ReportWords(voice);
  const text = (code: string, args = {}) => markdownText(words.say(code, args));
  const [summary = '', ...scope] = words.head(report).map(markdownText);
  const lines = [
    `# ${text('usability.title')}`,
    '',
    summary,
    '',
    ...(scope.length === 0 ? [] : [...scope.map((line) => `- ${line}`), '']),
    ...(report.totals.calls === 0 ? [] : [...fixes(report, words), ...agents(report, words), ...tools(report, words)]),
    ...neverCalled(report, words),
    ...method(report, words),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function fixes(report: Report, words: ReportWords): readonly string[] {
  const items = report.fixFirst.map((fix, index) => {
    const { source } = fix;
    const place = source === undefined ? '' : ` ${words.say('usability.fix.source', { source: words.source(source) })}`;
    return [
      `${index + 1}. **${markdownText(words.say(`usability.problem.${fix.problem}`))}** · ${toolName(fix, words)}  `,
      `   ${markdownText(words.remedy(fix, hintsOf(report, fix)) + place)}  `,
      `   ${markdownText(words.points(fix))}${fix.rows.length === 0 ? '' : ` · ${rows(fix.rows, words)}`}`,
    ].join('\n');
  });
  return [
    `## ${markdownText(words.say('usability.fix'))}`,
    '',
    ...(items.length === 0 ? [markdownText(words.say('usability.fix.none'))] : items),
    '',
  ];
}

function agents({ agents: verdicts }: Report, words: ReportWords): readonly string[] {
  const clients = agentsByClient(verdicts);
  const evidence = clients.flatMap((client) =>
    client.evidence.map((one) => [
      markdownText(words.client(client)),
      markdownText(words.say(`usability.act.${one.kind}.one`, { calls: one.count })),
      markdownCode(one.tool, 'cell'),
      rows(one.exchanges, words),
    ]),
  );
  return [
    `## ${markdownText(words.say('usability.agents'))}`,
    '',
    ...clients.map(
      (client) =>
        `- **${markdownText(words.say(`usability.grade.${client.grade}`))}** · ${markdownText(words.agent(client))}`,
    ),
    '',
    ...folded(
      words.say('usability.column.rows'),
      markdownTable(
        ['client', 'act', 'tool', 'rows'].map((name) => markdownText(words.say(`usability.column.${name}`))),
        'llll',
        evidence.slice(0, MAX_EVIDENCE),
      ),
    ),
  ];
}

function tools(report: Report, words: ReportWords): readonly string[] {
  const table = markdownTable(
    ['tool', 'calls', 'failed', 'outcomes', 'p50', 'p95', 'p99', 'largest'].map((name) =>
      markdownText(words.say(`usability.column.${name}`)),
    ),
    'lrrlrrrr',
    report.tools.map((tool) => toolRow(tool, words)),
  );
  const told = report.tools.filter(isRemarkable);
  return [
    `## ${markdownText(words.say('usability.tools'))}`,
    '',
    ...table,
    ...told.slice(0, MAX_TOOLS).flatMap((tool) => toolDetails(tool, words)),
  ];
}

function toolRow(tool: ReportTool, words: ReportWords): readonly string[] {
  const { latency, outcomes } = tool;
  const failed = OUTCOME_KINDS.filter((kind) => kind !== 'success' && (outcomes[kind] ?? 0) > 0).map(
    (kind) => `${words.number(outcomes[kind] ?? 0)} ${words.say(`usability.outcome.${kind}`)}`,
  );
  return [
    toolName(tool, words, 'cell'),
    words.number(tool.calls),
    words.percent(tool.failures, tool.calls),
    markdownText(failed.join(', ')),
    ...[latency?.p50Us, latency?.p95Us, latency?.p99Us].map((us) => words.measure(us, 'us')),
    words.bytes(tool.bytes.largestAnswer),
  ];
}

function toolDetails(tool: ReportTool, words: ReportWords): readonly string[] {
  const { errors, recoveries, silent } = tool;
  const command = words.voice.showCommand?.(tool.server, tool.tool);
  const column = (name: string) => markdownText(words.say(`usability.column.${name}`));
  return [
    `### ${toolName(tool, words)}`,
    '',
    ...(silent === undefined ? [] : [`- ${silentLine(silent, words)}`]),
    ...words.notes(tool).map((note) => `- ${markdownText(note)}`),
    ...(command === undefined || tool.failures === 0
      ? []
      : [`- ${markdownText(words.say('usability.show'))} ${markdownCode(command)}`]),
    '',
    ...markdownTable(
      [column('count'), column('error'), column('then'), column('rows')],
      'rlll',
      errors
        .slice(0, MAX_ERRORS)
        .map((error) => [
          words.number(error.count),
          markdownCode(words.error(error.template), 'cell'),
          markdownText(words.aftermath(error).join(', ')),
          rows(error.rows, words),
        ]),
    ),
    ...others(tool, words),
    ...(recoveries.length === 0 ? [] : [`${markdownText(words.say('usability.recoveries'))}:`, '']),
    ...recoveries.slice(0, MAX_ERRORS).map(({ count, changes, omitted, exchanges }) => {
      const told = changes.map((change) => markdownText(words.change(change)));
      const more = omitted === 0 ? [] : [markdownText(words.say('usability.recovery.more', { count: omitted }))];
      return `- ${words.number(count)}× ${[...told, ...more].join('; ')} · ${rows(exchanges, words)}`;
    }),
    '',
  ];
}

function others({ errors, otherErrors }: ReportTool, words: ReportWords): readonly string[] {
  const rest = errors.slice(MAX_ERRORS).reduce((sum, { count }) => sum + count, otherErrors);
  return rest === 0 ? [] : [markdownText(words.say('usability.errors.others', { count: words.number(rest) })), ''];
}

function silentLine({ count, source }: NonNullable<ReportTool['silent']>, words: ReportWords): string {
  const errors = markdownText(words.counted('usability.silent', count));
  return source === undefined ? errors : `${errors}: ${markdownCode(words.source(source))}`;
}

function neverCalled({ neverCalled: servers }: Report, words: ReportWords): readonly string[] {
  if (servers.length === 0) {
    return [];
  }
  return [
    `## ${markdownText(words.say('usability.neverCalled'))}`,
    '',
    markdownText(words.say('usability.neverCalled.why')),
    '',
    ...servers.map(
      ({ server, tools: names }) =>
        `- ${markdownText(words.voice.nameOf(server))}: ${names
          .slice(0, 50)
          .map((name) => markdownCode(name))
          .join(', ')}${names.length > 50 ? ', …' : ''}`,
    ),
    '',
  ];
}

function method({ generatedAt, faultline, leftOut }: Report, words: ReportWords): readonly string[] {
  const isWhole = leftOut.calls === 0 && leftOut.agents === 0;
  return [
    '---',
    '',
    ...['calls', 'points', 'latency'].map((part) => markdownText(words.say(`usability.method.${part}`))),
    ...(isWhole ? [] : [markdownText(words.say('usability.leftOut', leftOut))]),
    ...(leftOut.injected === 0 ? [] : [markdownText(words.say('usability.injected', leftOut))]),
    markdownText(words.say('usability.made', { version: faultline, time: generatedAt })),
  ];
}

function toolName(
  { server, tool }: Pick<ReportFix, 'server' | 'tool'>,
  words: ReportWords,
  place: 'cell' | 'line' = 'line',
): string {
  const name = markdownCode(tool, place);
  const link = words.voice.toolLink?.(server, tool);
  return `${link === undefined ? name : `[${name}](<${link}>)`} (${markdownText(words.voice.nameOf(server))})`;
}

function rows(keys: readonly number[], words: ReportWords): string {
  return keys
    .map((key) => {
      const link = words.voice.rowLink?.(key);
      return link === undefined ? `\`#${key}\`` : `[\`#${key}\`](<${link}>)`;
    })
    .join(' ');
}

/** What is long and of interest to few, under a line that opens it. */
function folded(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0
    ? []
    : ['<details>', `<summary>${markdownText(title)}</summary>`, '', ...lines, '</details>', ''];
}
