/** What stands in a template for a part that differs from one text to the next. */
export const WILDCARD = '‹…›';

/** Of a longer text the beginning tells what went wrong; UTF-16 code units. */
const MAX_TEXT = 1000;
/** Tokens of a text that count. */
const MAX_TOKENS = 48;

/** A piece of a text: its words in a template, or a wildcard with the name of what it stands for. */
export interface Token {
  readonly text: string;
  readonly isWild: boolean;
  /** Was there space before it? */
  readonly isSpaced: boolean;
}

/** In the order in which they are tried. Every part is bounded, so that no text takes more than linear time. */
const PATTERNS: readonly (readonly [name: string, pattern: string])[] = [
  ['url', String.raw`\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s"'<>«»“”]{1,300}`],
  ['email', String.raw`\b[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,32}){1,4}`],
  ['uuid', String.raw`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`],
  [
    'time',
    String.raw`\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?(?:Z|UTC|[+-]\d{2}:?\d{2}))?)?\b`,
  ],
  // A member's name is what JSON-like texts have in common; any other quotation is what they are about.
  ['key', String.raw`"[\w.$-]{1,40}"(?=\s?:)`],
  [
    'quoted',
    String.raw`"[^"\n]{0,200}"|“[^”\n]{0,200}”|«[^»\n]{0,200}»|\x60[^\x60\n]{0,200}\x60|(?<![\p{L}\p{N}])'[^'\n]{1,200}'(?![\p{L}\p{N}])`,
  ],
  [
    'path',
    String.raw`(?<![\w.])(?:[A-Za-z]:\\|\\\\|~?\/|\.{1,2}[\\/])[\w.@~+-]{1,100}(?:[\\/][\w.@~+-]{1,100})*[\\/]?`,
  ],
  ['secret', String.raw`\[redacted[^\]\n]{0,60}\]`],
  // At least one digit and one letter, so that neither words nor amounts are taken for hashes.
  ['hex', String.raw`\b(?:0x[0-9a-f]{1,32}|(?=[0-9a-f]{0,63}\d)(?=[0-9a-f]{0,63}[a-f])[0-9a-f]{8,64})\b`],
  ['number', String.raw`[+-]?\p{Nd}{1,40}(?:[.,:_]\p{Nd}{1,20}){0,8}`],
  ['word', String.raw`[\p{L}\p{M}_$]{1,80}(?:[-.][\p{L}\p{M}_$]{1,80}){0,8}`],
  ['other', String.raw`[^\s]`],
];

const TOKEN = new RegExp(PATTERNS.map(([name, pattern]) => `(?<${name}>${pattern})`).join('|'), 'giu');
const WILD = ['url', 'email', 'uuid', 'time', 'quoted', 'path', 'secret', 'hex', 'number'] as const;
/** Written without spaces: one run of letters is a whole clause, and would never be like another. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * The tokens of an error's text, of its beginning alone. Numbers, quotations, paths, addresses, ids and times are wildcards
 * from the start. Linear, whatever the text.
 */
export function errorTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const source = text.slice(0, MAX_TEXT).toWellFormed();
  let end = 0;
  for (const match of source.matchAll(TOKEN)) {
    const isSpaced = match.index > end || tokens.length === 0;
    end = match.index + match[0].length;
    const groups = match.groups ?? {};
    const isCode = groups['number'] !== undefined && match[0].length <= MAX_CODE && isCodeWord(tokens.at(-1));
    const isWild = !isCode && WILD.some((name) => groups[name] !== undefined);
    if (!isWild && groups['word'] !== undefined && UNSPACED.test(match[0])) {
      addCharacters(tokens, match[0], isSpaced);
    } else if (!(isWild && tokens.at(-1)?.isWild === true && !isSpaced)) {
      tokens.push({ text: isWild ? WILDCARD : match[0], isWild, isSpaced });
    }
    if (tokens.length >= MAX_TOKENS) {
      return [...tokens.slice(0, MAX_TOKENS - 1), { text: '…', isWild: false, isSpaced: true }];
    }
  }
  return tokens;
}

function addCharacters(tokens: Token[], word: string, isSpaced: boolean): void {
  let isFirst = true;
  for (const character of word) {
    tokens.push({ text: character, isWild: false, isSpaced: isFirst && isSpaced });
    isFirst = false;
  }
}

/** Before a number, these say that it is a kind of error and not an amount: HTTP 404 and HTTP 500 are two errors. */
const CODE_WORDS = new Set(['http', 'status', 'code', 'errno', 'error', 'exit']);
const MAX_CODE = 6;

function isCodeWord(before: Token | undefined): boolean {
  return before !== undefined && CODE_WORDS.has(before.text.toLowerCase());
}

/** Tokens as a person reads them. */
export function templateText(tokens: readonly Token[]): string {
  return tokens.map(({ text, isSpaced }, index) => (isSpaced && index > 0 ? ` ${text}` : text)).join('');
}
