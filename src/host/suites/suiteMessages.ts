import * as vscode from 'vscode';
import { safeText } from '../../base/safeText.ts';
import type { Mismatch } from '../../core/replay/suites/matchers.ts';
import type { SuiteCaseResult } from '../../core/replay/suites/runSuite.ts';
import { jsonText } from '../../protocol/json.ts';
import type { JsonValue } from '../../protocol/jsonrpc.ts';
import type { OutcomeKind } from '../../protocol/outcome.ts';
import { say } from '../say.ts';
import { sentence } from '../servers/explain.ts';
import { outcomeNames } from '../timeline/pageStrings.ts';

const { t } = vscode.l10n;

/** Longest value that stands in a comparison, UTF-16 code units. */
const MAX_VALUE = 100_000;
/** Messages of one case. */
const MAX_MESSAGES = 50;

/** Everything that is to be said of a case that did not pass, with a link to its row, where it has one. */
export function messagesOf(result: SuiteCaseResult, row: number | undefined): readonly vscode.TestMessage[] {
  const { status } = result;
  switch (status.kind) {
    case 'passed':
    case 'cancelled':
      return [];
    case 'refused':
    case 'error':
      return [new vscode.TestMessage(markdown([say(status.code, status.args), ...causeOf(result)], row))];
    case 'failed': {
      const said = status.mismatches
        .slice(0, MAX_MESSAGES)
        .map(({ code, args, pointer }) =>
          [say(code, named(args)), ...(pointer === '' ? [] : [t('At {0}', pointer)])].join(' '),
        );
      // A comparison is shown without its text, so that what is said and the way to the row come first, by themselves.
      const first = new vscode.TestMessage(markdown([...said, ...causeOf(result)], row));
      return [first, ...status.mismatches.slice(0, MAX_MESSAGES).flatMap((each, index) => diffOf(each, said[index]))];
    }
  }
}

/** What was expected beside what came; nothing where the sentence says both. */
function diffOf({ code, expected, actual }: Mismatch, said = ''): readonly vscode.TestMessage[] {
  const isSaid = code === 'suite.otherOutcome' || code === 'suite.fixed' || code === 'suite.otherCode';
  return isSaid || expected === undefined || actual === undefined
    ? []
    : [vscode.TestMessage.diff(markdown([said], undefined), valueText(expected), valueText(actual))];
}

function causeOf({ cause }: SuiteCaseResult): readonly string[] {
  return cause === undefined ? [] : [sentence(cause.code, cause.args), sentence(cause.remedy, cause.args)];
}

/** Outcomes by the names that everything else shows them by. */
function named(args: Readonly<Record<string, string | number>>): Readonly<Record<string, string | number>> {
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, outcomeNames[value as OutcomeKind] ?? value]),
  );
}

/** Texts as they are, since servers have a say in them, and one link of ours. */
function markdown(lines: readonly string[], row: number | undefined): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.appendText(safeText(lines.join('\n')));
  if (row !== undefined) {
    const link = `command:faultline.openTimeline?${encodeURIComponent(JSON.stringify([row]))}`;
    text.appendMarkdown(`\n\n[${t('Show in Timeline')}](${link})`);
    text.isTrusted = { enabledCommands: ['faultline.openTimeline'] };
  }
  return text;
}

function valueText(value: JsonValue): string {
  const text = typeof value === 'string' ? value : jsonText(value, 2);
  return safeText(text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text);
}

/** One line on what came of a case, and with `isTelling` its request and answer below. Line ends as a terminal wants them. */
export function outputOf(result: SuiteCaseResult, isTelling: boolean): string {
  const { case: suiteCase, outcome, durationMs, answer } = result;
  const took = outcome === undefined ? '' : `: ${outcomeNames[outcome.kind]}, ${Math.round(durationMs)} ms`;
  const lines = [`${suiteCase.name}${took}`];
  if (isTelling) {
    const { method, params } = suiteCase;
    lines.push(`→ ${method}`, jsonText(params ?? {}, 2));
    lines.push('←', answer === undefined ? t('no answer') : jsonText(answer, 2), '');
  }
  return `${safeText(lines.join('\n')).replaceAll('\n', '\r\n')}\r\n`;
}
