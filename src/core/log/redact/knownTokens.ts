import type { AddSpan, Span } from './spans.ts';
import { forEachRun, isTokenCode } from './tokenRuns.ts';
import { TOKEN_SHAPES, type TokenShape } from './tokenShapes.ts';
import { looksRandom } from './values.ts';

/** Shapes by the character that a run begins with, or, for those with a look-behind, by the one before it. */
const AT_START = new Map<number, TokenShape[]>();
const BEHIND = new Map<number, Array<{ readonly shape: TokenShape; readonly behind: number }>>();
for (const shape of TOKEN_SHAPES) {
  const behind = [...shape.prefix].findLastIndex((letter) => !isTokenCode(letter.charCodeAt(0))) + 1;
  const code = shape.prefix.charCodeAt(behind === 0 ? 0 : behind - 1);
  if (behind === 0) {
    AT_START.set(code, [...(AT_START.get(code) ?? []), shape]);
  } else {
    BEHIND.set(code, [...(BEHIND.get(code) ?? []), { shape, behind }]);
  }
}

/** Finds secrets by their own shape, wherever they stand. */
export function findKnownTokens(text: string, add: AddSpan): void {
  forEachRun(text, (runStart, runEnd) => {
    const start = afterEscape(text, runStart);
    const found = shapeAt(text, start) ?? shapeBehind(text, start) ?? placedToken(text, start, runEnd);
    if (found === undefined) {
      return runEnd;
    }
    add(found);
    return found.end;
  });
}

function shapeAt(text: string, start: number): Span | undefined {
  const before = text.charCodeAt(start - 1);
  for (const shape of AT_START.get(text.charCodeAt(start)) ?? []) {
    const isChance = shape.isWeak && (before === 0x2f || before === 0x2b);
    if (!isChance && text.startsWith(shape.prefix, start)) {
      const end = endOf(shape, text, start + shape.prefix.length);
      if (end !== undefined) {
        return { start, end, kind: shape.kind };
      }
    }
  }
  return undefined;
}

function shapeBehind(text: string, runStart: number): Span | undefined {
  for (const { shape, behind } of BEHIND.get(text.charCodeAt(runStart - 1)) ?? []) {
    const start = runStart - behind;
    if (text.startsWith(shape.prefix, start) && isBoundary(text, start)) {
      const end = endOf(shape, text, start + shape.prefix.length);
      if (end !== undefined) {
        return { start, end, kind: shape.kind };
      }
    }
  }
  return undefined;
}

/** Nothing before, no token character, or one that is a letter of a JSON escape. */
function isBoundary(text: string, start: number): boolean {
  return (
    !isTokenCode(text.charCodeAt(start - 1)) ||
    /\\(?:[bfnrt]|u00[0-9a-fA-F]{2})$/.test(text.slice(Math.max(0, start - 6), start))
  );
}

function endOf({ rest }: TokenShape, text: string, from: number): number | undefined {
  rest.lastIndex = from;
  const found = rest.exec(text)?.[0];
  // A run of one letter stands for a secret in a manual.
  return found === undefined || /^(.)\1*$/.test(found) ? undefined : from + found.length;
}

const SCHEME_BEHIND = /(?:[Bb]earer|BEARER|[Bb]asic|DPoP)(?: |%20|\+)$/;
const CREDENTIALS = /[\w.~+/-]+=*/y;
const TELEGRAM_BEHIND = /(?:^|\D)(\d{8,10}):$/;
const SLACK_BEHIND = /hooks\.slack(?:-gov)?\.com\\?\/(?:services|workflows|triggers)[\w/\\]{10,80}$/;
const DISCORD_HOOK_BEHIND = /discord(?:app)?\.com\\?\/api\\?\/webhooks\\?\/\d{16,20}\\?\/$/;
const AZURE_BEHIND = /[\w~.-]{3}\dQ~$/;
const DISCORD = /[MNO][\w-]{22,28}\.[\w-]{6}\.[\w-]{27,}/y;

/** Secrets that have no beginning of their own and are known by what stands before them. */
function placedToken(text: string, start: number, runEnd: number): Span | undefined {
  const behind = () => text.slice(Math.max(0, start - 120), start);
  switch (text.charCodeAt(start - 1)) {
    case 0x20: // Bearer …
    case 0x2b:
    case 0x30:
      if (SCHEME_BEHIND.test(behind().slice(-10))) {
        CREDENTIALS.lastIndex = start;
        const value = CREDENTIALS.exec(text)?.[0] ?? '';
        return looksRandom(value, 16) ? { start, end: start + value.length, kind: 'bearer' } : undefined;
      }
      break;
    case 0x3a: {
      const bot =
        text.startsWith('AA', start) && runEnd - start === 35 ? TELEGRAM_BEHIND.exec(behind())?.[1] : undefined;
      return bot === undefined ? undefined : { start: start - bot.length - 1, end: runEnd, kind: 'telegram' };
    }
    case 0x2f: {
      const length = runEnd - start;
      if (length >= 20 && length <= 72) {
        const text = behind();
        if (SLACK_BEHIND.test(text) || DISCORD_HOOK_BEHIND.test(text)) {
          return { start, end: runEnd, kind: SLACK_BEHIND.test(text) ? 'slack' : 'discord' };
        }
      }
      break;
    }
    case 0x7e:
      if (AZURE_BEHIND.test(behind())) {
        return { start: start - 6, end: runEnd, kind: 'azure' };
      }
  }
  DISCORD.lastIndex = start;
  const code = text.charCodeAt(start);
  const bot = code >= 0x4d && code <= 0x4f ? DISCORD.exec(text)?.[0] : undefined;
  return bot === undefined ? undefined : { start, end: start + bot.length, kind: 'discord' };
}

/** Behind the letter of a JSON escape, which looks like the token's first. */
function afterEscape(text: string, start: number): number {
  if (text.charCodeAt(start - 1) !== 0x5c) {
    return start;
  }
  return start + (text.startsWith('u00', start) ? 5 : 1);
}
