/** What is known of a file: lines are counted from 1. */
export interface LabelledLines {
  /** Each line that returns a failure as a success. */
  readonly wanted: readonly number[];
  /** Lines on which one can differ: what is found there counts neither way. */
  readonly unsure: readonly number[];
}

export interface LintScore {
  readonly labelled: number;
  readonly found: number;
  readonly wrong: number;
  readonly cleanFiles: number;
  readonly alarmedFiles: number;
}

export const NO_SCORE: LintScore = { labelled: 0, found: 0, wrong: 0, cleanFiles: 0, alarmedFiles: 0 };

/** A returned statement goes over several lines, and a search by text cannot know which of them is meant. */
const LINES_AFTER = 6;
const LINES_BEFORE = 1;

/** Adds what was found in one file. What lies just before a labelled line, or in the statement that begins there, has found it. */
export function scored(score: LintScore, { wanted, unsure }: LabelledLines, reported: readonly number[]): LintScore {
  const finds = (line: number, label: number) => line >= label - LINES_BEFORE && line <= label + LINES_AFTER;
  const wrong = reported.filter((line) => ![...wanted, ...unsure].some((label) => finds(line, label))).length;
  const isClean = wanted.length === 0;
  return {
    labelled: score.labelled + wanted.length,
    found: score.found + wanted.filter((label) => reported.some((line) => finds(line, label))).length,
    wrong: score.wrong + wrong,
    cleanFiles: score.cleanFiles + (isClean ? 1 : 0),
    alarmedFiles: score.alarmedFiles + (isClean && wrong > 0 ? 1 : 0),
  };
}

/** Of what was reported the share that is right, and of what is labelled the share that was found. NaN of nothing. */
export function sharesOf({ labelled, found, wrong }: LintScore): {
  readonly precision: number;
  readonly recall: number;
} {
  return { precision: found / (found + wrong), recall: found / labelled };
}

/** What a person types first: a returned text that begins with the word. */
const FIRST_SEARCH = /return\s+f?["'`]\s*Error/;

const GIVES_BACK = /\breturn\b|=>|->|\btext\b["']?\s*[:=(]|\bOk\(|\byield\b|Text\(|TextContent|NewToolResultText/;
const SAYS_FAILURE =
  /["'`“][^"'`]{0,80}\b(?:error|failed|failure|fail|unable|cannot|can't|could not|couldn't|not found|no \w+(?: \w+)* (?:found|provided)|no valid|invalid|missing|must|required|unknown|exception|denied)\b|\berror\s*:|❌|\b(?:str|String)\((?:e|ex|err|error|exc)\)|\b(?:e|ex|err|error)\.(?:message|getMessage\(\)|Message|Error\(\)|to_string\(\))/i;
/** Members that say it wherever they stand. */
const HAS_MEMBER =
  /["'](?:error|err)["']\s*(?:=>|:|,)|["']?(?:success|ok)["']?\s*(?:=>|:|=)\s*false\b|["']?status["']?\s*(?:=>|:)\s*["'](?:error|failed|not_found)/i;
const SAYS_FLAG =
  /is_?error["']?\s*(?:[:=(,]|=>)\s*\(?true|\berror:\s*true|isError\(true|CallToolResult::error|NewToolResultError|Response::error/i;
const RAISES =
  /^\s*(?:raise|throw|panic)\b|\bthrow new\b|logger|logging|console\.|\blog\.|print\(|\.on\(|^\s*(?:#|\/\/|\*|"""|import\b|from\b)/;
/** How far around a hit one looks for the flag, as `grep -C` does. */
const AROUND = 4;

/** Lines that begin so, as `grep -n` finds them. */
export function firstSearch(text: string): readonly number[] {
  return linesWhere(text, (line) => FIRST_SEARCH.test(line));
}

/**
 * The best search by text that was found for these labels: what is given back and speaks of a failure, in a word or by the
 * message of an exception, unless the flag is set near by. What it cannot tell is which functions are tools.
 */
export function bestSearch(text: string): readonly number[] {
  const lines = text.split('\n');
  return linesWhere(text, (line, index) => {
    const around = lines.slice(Math.max(0, index - AROUND), index + AROUND + 1);
    return (
      line.length < 1000 &&
      ((GIVES_BACK.test(line) && SAYS_FAILURE.test(line)) || HAS_MEMBER.test(line)) &&
      !RAISES.test(line) &&
      !around.some((other) => SAYS_FLAG.test(other))
    );
  });
}

function linesWhere(text: string, isHit: (line: string, index: number) => boolean): readonly number[] {
  return text.split('\n').flatMap((line, index) => (isHit(line, index) ? [index + 1] : []));
}
