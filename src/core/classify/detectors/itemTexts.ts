import type { JudgedRequest } from '../../../protocol/call.ts';
import type { Detector, DetectorContext, Evidence } from '../evidence.ts';
import { shorten } from '../json.ts';
import { CROSS, failureIn, TICK, undecorated } from './failureWords.ts';
import { isEcho } from './wording.ts';

/** An item with its report, taken from one text: a block of its own, a section, or a line. */
interface ItemText {
  readonly name: string;
  readonly isFailed: boolean;
  readonly text: string;
}

/** "name: report". A name has no blank unless it is quoted; a Windows drive is part of it. */
const NAMED =
  /^\s*(?:[-*•·]\s{1,3})?(?:\d{1,4}[.)]\s{1,3})?(?:\[?(?:ok|error|failed)\]?\s{1,3})?["'`]?((?:[A-Za-z]:[\\/])?[^\s:"'`][^:"'`\n]{0,200}?)["'`]?\s?(?::(?=\s|$)|：| [–—-]+>? | → )[^\S\n]*/u;
/** What tells an item from the label of a field: a digit, a dot, a path or an address in it. */
const ITEM_LIKE = /[\d./\\@#]/u;
const LABEL = /error|status|message|reason|result|warning|attempt|retry|\btry\b|\bstep\b|total|summary|\btest|version/i;
/** Reports of one item that has failed, which need not open the text: "[Error: ENOENT]", "-> failed". */
const FAILED_REPORT =
  /^(?:.{0,80}?[[(](?:error|failed)[:\])]|(?:error|failed|failure|skipped due to|not (?:found|processed|sent|saved|converted|translated|reachable))\b)/i;
const CROSS_AT_END = /\s(?:❌|✖️?|✗|✘)\s?(?:\([^()\n]{1,200}\)|[-–—:] [^\n]{1,200})?$/u;
const TICK_AT_END = /\s(?:✅|✔️?|☑️?|✓)\s?(?:\([^()\n]{1,200}\))?$/u;
const MAX_LINES = 300;
const MAX_LINE = 600;

/**
 * Reports by item of which some tell of a failure and others do not: blocks, sections cut by `---` as the filesystem
 * server's `read_multiple_files` writes them, or the lines of a short text. Names the items that failed.
 */
export const detectItemTexts: Detector = (view, context) => {
  const { nature } = context;
  if (nature.reports || nature.executes || (nature.makesText && !context.nature.reads && view.texts.length < 2)) {
    return [];
  }
  const first = view.texts[0];
  if (first === undefined) {
    return [];
  }
  if (view.texts.length > 1) {
    const blocks =
      nature.reads || nature.carriesContent
        ? []
        : byBlock(
            view.texts.map(({ text }) => text),
            first.pointer,
          );
    if (blocks.length > 0) {
      return blocks;
    }
    return byItem(
      view.texts.map(({ text }) => text),
      first.pointer,
      true,
      context.request,
    );
  }
  const sections = first.text.split(/\n-{3,}\n/, MAX_LINES);
  if (sections.length > 1) {
    return byItem(sections, first.pointer, true, context.request);
  }
  return isLineReport(first.text, context) ? byItem(linesOf(first.text), first.pointer, false, context.request) : [];
};

function isLineReport(text: string, { nature }: DetectorContext): boolean {
  return text.length <= MAX_LINES * 60 && !nature.carriesContent && !nature.searches && !nature.reads;
}

function linesOf(text: string): readonly string[] {
  return text.split('\n', MAX_LINES).filter((line) => line.trim() !== '');
}

/** Blocks that begin with an item's name, among which one begins with a failure and names its item later. */
function byBlock(texts: readonly string[], pointer: string): readonly Evidence[] {
  const firstWord = (text: string) => text.trim().split(/\s/, 1)[0] ?? '';
  const failed = texts.filter((text) => failureIn(undecorated(text))?.isOpening === true);
  const others = texts.filter((text) => !failed.includes(text));
  if (failed.length === 0 || others.length === 0 || !others.every((text) => ITEM_LIKE.test(firstWord(text)))) {
    return [];
  }
  const names = failed.flatMap(
    (text) => text.split(/\s+/, 40).find((word) => ITEM_LIKE.test(word) && /\p{L}/u.test(word)) ?? [],
  );
  return [partialOf(failed, names, texts.length, pointer)];
}

function partialOf(failed: readonly string[], names: readonly string[], total: number, pointer: string): Evidence {
  return {
    says: 'partial',
    signal: {
      code: 'signal.partial.itemText',
      strength: 'strong',
      pointer,
      args: { count: failed.length, total, text: shorten(failed[0] ?? '') },
    },
    cause: failed.join('\n'),
    partial: { done: total - failed.length, total, missing: names.slice(0, 50) },
  };
}

function byItem(
  parts: readonly string[],
  pointer: string,
  isBlocks: boolean,
  request: JudgedRequest,
): readonly Evidence[] {
  if (parts.length < 2) {
    return [];
  }
  const isUniform = !isBlocks && isStatusList(parts);
  const items = parts.flatMap((part) => itemOf(part, request, isUniform) ?? []);
  const failed = items.filter((item) => item.isFailed);
  // A heading or a closing sentence beside the items is usual; text that is mostly something else is no item report.
  if (items.length < 2 || failed.length === 0 || items.length < (isBlocks ? 2 : parts.length - 3)) {
    return [];
  }
  const cause = failed.map((item) => item.text).join('\n');
  if (failed.length === items.length) {
    return [
      {
        says: 'failed',
        signal: {
          code: 'signal.silent.everyItem',
          strength: 'medium',
          pointer,
          args: { count: failed.length, total: items.length },
        },
        cause,
      },
    ];
  }
  return [
    partialOf(
      failed.map((item) => item.text),
      failed.map((item) => item.name),
      items.length,
      pointer,
    ),
  ];
}

/** "api: deployed / web: deployed / mail: failed": every line has a name, and those that went well say the same. */
function isStatusList(parts: readonly string[]): boolean {
  const reports = parts.map((part) => /^\s*(?:[-*•·]\s)?[\w./@-]{1,80}: (\S[^\n]{0,300})$/.exec(part.trimEnd())?.[1]);
  const good = reports.filter((report) => report !== undefined && !isBadReport(report));
  const isAlike = good.length >= 2 && new Set(good.map((report) => report?.toLowerCase())).size === 1;
  return isAlike && reports.every((report) => report !== undefined);
}

function isBadReport(report: string): boolean {
  return failureIn(undecorated(report)) !== undefined || FAILED_REPORT.test(report);
}

/** The item that a part reports on, with what its first line says of it. */
function itemOf(part: string, request: JudgedRequest, isNamed: boolean): ItemText | undefined {
  const line = part.trimStart().split('\n', 1)[0]?.slice(0, MAX_LINE) ?? '';
  const isCrossed = CROSS.test(line) || CROSS_AT_END.test(line);
  const isTicked = TICK.test(line) || TICK_AT_END.test(line);
  const bare = isCrossed ? line.replace(CROSS, '').trimStart() : isTicked ? line.replace(TICK, '').trimStart() : line;
  const match = NAMED.exec(bare);
  const name = (match?.[1] ?? '').trim();
  const isItem = name !== '' && (isNamed || (ITEM_LIKE.test(name) && !LABEL.test(name)) || isEcho(name, request));
  if (!isItem || match === null) {
    return isCrossed || isTicked
      ? { name: shorten(name === '' ? bare : name, 80), isFailed: isCrossed, text: bare }
      : undefined;
  }
  const report = bare.slice(match[0].length);
  return { name, isFailed: isCrossed || (!isTicked && isBadReport(report)), text: bare };
}
