import type { Detector, Evidence } from '../evidence.ts';
import type { TextNode } from '../resultView.ts';
import { TELLS_FAILURE } from './failureLanguages.ts';
import { BENIGN_REASON } from './failureWords.ts';

/** A summary is short. In longer texts "3 of 5" is somebody's sentence. */
const MAX_SUMMARY = 600;
const MAX_CLAUSES = 12;
/** A count stands near the start of its clause: "12 photos tagged", "tagged 12 photos", "已归档 20 封". */
const COUNT_WITHIN = 24;

const COUNT =
  /(?<![\d.,:#/\-–$€£%])(\d{1,9})(?![\d.,]*\d|\s?[%:/°$€£]|\s?(?:ms|s|sec|min|h|kb|mb|gb|px|kg|km|am|pm)\b)/iu;
/** Windows, positions and rules, in which "3 of 5" says nothing of work undone. */
const NOT_WORK =
  /\b(?:showing|displaying|page|step|chapter|part|top|first|last|rated|rating|attempt|seite|schritt|étape|página|paso|etapa|pagina)\s*:?\s*$|\b(?:if|when|unless|wenn|falls|quando|cuando|lorsque)\b[^.\n]{0,60}$/i;
/** Less than all was what was wanted. */
const AS_ASKED =
  /\bas (?:requested|asked|selected|planned|intended|expected)\b|wie gewünscht|comme demandé|como (?:se )?pidió/i;
const OF =
  /(\d{1,9})\s(?:[\p{L}-]{1,30}\s){0,3}?(?:of|out of|von|aus|sur|de|di|su|из|з|z|ze|av|van|dari|trong|من)\s(?:the |den |les |los |las |os |as |gli |i |le )?(\d{1,9})(?![\d%])/iu;
/** "5개 중 3개", "5ページ中4ページ", "共 5 个,3 个": the whole stands first. */
const WHOLE_FIRST = /(\d{1,9})\s?\p{L}{0,4}?\s?(?:中|のうち|중)[、,]?\s?(\d{1,9})/u;

/**
 * A summary gives account of what was done and of what was not, in whatever language: "9 of 11 … failed: …", "12 …, 3
 * could not …". Complements `counts.ts`, which knows the verbs of a few languages; here the second count tells it.
 */
export const detectAccounts: Detector = (view, { nature }) => {
  const first = view.texts[0];
  const isQuoted =
    nature.reports ||
    nature.executes ||
    nature.makesText ||
    nature.carriesContent ||
    nature.searches ||
    nature.reads ||
    nature.relays;
  if (isQuoted || first === undefined || view.texts.length > 1 || first.text.length > MAX_SUMMARY) {
    return [];
  }
  // An account has counts, and markup or data is none.
  if (!/\d/.test(first.text) || /^\s*[<{[]/.test(first.text)) {
    return [];
  }
  const node = { ...first, text: withoutQuotes(first.text) };
  if (!TELLS_FAILURE.test(node.text)) {
    return [];
  }
  const found = ofWhole(node) ?? twoCounts(node);
  return found === undefined ? [] : [found];
};

/** What is in quotes is what something is called. */
function withoutQuotes(text: string): string {
  return text.replace(
    /"[^"\n]{0,200}"|“[^”\n]{0,200}”|«[^»\n]{0,200}»|„[^“\n]{0,200}“|「[^」\n]{0,200}」|`[^`\n]{0,200}`/g,
    '…',
  );
}

function ofWhole(node: TextNode): Evidence | undefined {
  const of = OF.exec(node.text);
  const whole = WHOLE_FIRST.exec(node.text);
  const done = Number(of?.[1] ?? whole?.[2] ?? 0);
  const total = Number(of?.[2] ?? whole?.[1] ?? 0);
  const at = (of ?? whole)?.index ?? 0;
  const before = node.text.slice(0, at);
  const after = node.text.slice(at + ((of ?? whole)?.[0].length ?? 0));
  // The failure is told of the rest, behind the count of what was done, and near the start of the text.
  const isAccount = at <= 40 && !TELLS_FAILURE.test(before) && TELLS_FAILURE.test(after) && !AS_ASKED.test(after);
  return done > 0 && done < total && isAccount && !NOT_WORK.test(before) ? account(node, done, total) : undefined;
}

/**
 * One clause that opens with a count of what was done, and the next with a count of what failed. More counts are a
 * breakdown ("30 news, 15 friends, 5 failed payments"), and a number behind a noun is a name ("Incident 44").
 */
function twoCounts(node: TextNode): Evidence | undefined {
  const clauses = node.text.split(CLAUSES, MAX_CLAUSES).map((clause) => ({ ...countOf(clause), clause }));
  const at = clauses.findIndex(({ count, isFailed }) => count > 0 && isFailed);
  const done = clauses[at - 1];
  const failed = clauses[at];
  if (at < 1 || done === undefined || failed === undefined || done.count === 0 || done.isFailed) {
    return undefined;
  }
  const others = clauses.filter(({ count, isFailed }) => count > 0 && !isFailed);
  const isHarmless = BENIGN_REASON.test(failed.clause);
  return others.length > 1 || isHarmless ? undefined : account(node, done.count, done.count + failed.count);
}

const CLAUSES = /[,;，、；。！\n]\s*|[.!]\s+|\s[·|–—]\s|\s(?:and|but|und|aber|et|mais|y|pero|e|mas|ma|и|но)\s(?=\d)/u;

/** The count that a clause opens with, after one word of doing at most; 0 when there is none. */
function countOf(clause: string): { readonly count: number; readonly isFailed: boolean } {
  const match = COUNT.exec(clause);
  const before = match === null ? '' : clause.slice(0, match.index).trim();
  const opens = match !== null && (before === '' || (match.index <= COUNT_WITHIN && IS_DOING.test(before)));
  const count = opens ? Number(match?.[1]) : 0;
  return { count, isFailed: count > 0 && TELLS_FAILURE.test(clause.slice(match?.index ?? 0)) };
}

/** "Tagged", "Importiert:", "已归档": what was done, before how many. */
const IS_DOING =
  /^(?:successfully )?\p{L}+(?:ed|sent|built|made|put|read|set)\s?:?$|^\p{L}*(?:iert|t|en):$|^\p{L}+(?:ad[oa]s|id[oa]s|at[ei]|it[ei]|é[es]*|о|ы|ано|ены)\s?:?$|^[\p{Script=Han}\p{Script=Hiragana}]{1,8}[:：]?$/iu;

function account(node: TextNode, done: number, total: number): Evidence {
  return {
    says: 'partial',
    signal: { code: 'signal.partial.count', strength: 'medium', pointer: node.pointer, args: { done, total } },
    cause: node.text,
    partial: { done, total, missing: [] },
  };
}
