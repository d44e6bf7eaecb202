import { withoutColours } from '../../base/safeText.ts';
import type { StderrBody } from '../../protocol/events.ts';

type Level = StderrBody['level'];

const LEVELS: ReadonlyMap<string, Level> = new Map([
  ['trace', 'debug'],
  ['debug', 'debug'],
  ['info', 'info'],
  ['notice', 'info'],
  ['warn', 'warning'],
  ['warning', 'warning'],
  ['err', 'error'],
  ['error', 'error'],
  ['critical', 'error'],
  ['fatal', 'error'],
  ['panic', 'error'],
]);
const WORD = [...LEVELS.keys()].join('|');
/** Levels of pino and bunyan. */
const NUMERIC: readonly (readonly [from: number, level: Level])[] = [
  [50, 'error'],
  [40, 'warning'],
  [30, 'info'],
  [10, 'debug'],
];
/** Where loggers put their level, surest first. Plain words within a sentence ("no error found") are none. */
const PLACES: readonly RegExp[] = [
  new RegExp(`\\b(?:level|lvl|levelname|severity)["']?[=:]\\s?["']?(${WORD})\\b`, 'i'),
  new RegExp(`^\\W{0,4}(${WORD})\\s?[:\\]|>-]`, 'i'),
  new RegExp(`[[(<](${WORD})[\\])>]`, 'i'),
  new RegExp(`\\b(${WORD.toUpperCase()})\\b`),
  /\bnpm (warn|err)\b/i,
  /\) (Warning):/,
];
const FAILURES: readonly RegExp[] = [
  /^\s*Traceback \(most recent call last\)/,
  /^(?:Uncaught |Unhandled )?[A-Z]\w{0,60}(?:Error|Exception)\b/,
];
/** A level stands at the beginning of a line, after a time stamp and a logger's name at most. */
const SEARCHED_CHARACTERS = 200;

/**
 * The level that a stderr line states or, for an exception's first line, implies; `unknown` when it states none. Text on
 * stderr is no sign of failure by itself (MCP, stdio transport).
 */
export function levelOf(line: string): Level {
  const start = withoutColours(line.slice(0, SEARCHED_CHARACTERS));
  const numeric = /"level":(\d{2})\b/.exec(start)?.[1];
  if (numeric !== undefined) {
    return NUMERIC.find(([from]) => Number(numeric) >= from)?.[1] ?? 'unknown';
  }
  for (const place of PLACES) {
    const level = LEVELS.get(place.exec(start)?.[1]?.toLowerCase() ?? '');
    if (level !== undefined) {
      return level;
    }
  }
  return FAILURES.some((failure) => failure.test(start)) ? 'error' : 'unknown';
}

const TAIL_LINES = 20;
const TAIL_CHARACTERS = 2000;

/** The last lines that were added: at most 20, each cut after 2,000 characters. */
export interface Tail {
  add(line: string): void;
  lines(): readonly string[];
}

export function createTail(): Tail {
  let kept: string[] = [];
  return {
    add: (line) => {
      const cut = line.length > TAIL_CHARACTERS ? `${line.slice(0, TAIL_CHARACTERS)}…` : line;
      kept = [...kept.slice(1 - TAIL_LINES), cut];
    },
    lines: () => kept,
  };
}
