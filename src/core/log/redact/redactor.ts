import { findAfterDashes } from './dashes.ts';
import { findKnownTokens } from './knownTokens.ts';
import { findNamedValues } from './namedValues.ts';
import { createPlaceholders } from './placeholder.ts';
import { wholeScalars } from './scalars.ts';
import { SecretNames } from './secretNames.ts';
import { apart, replaceSpans, type Span } from './spans.ts';
import { compilePattern, findPatterns, findPatternsInJson, type RefusedPattern } from './userPatterns.ts';

/** What a person has chosen. All of it has a default, under which everything that is known is hidden. */
export interface RedactionSettings {
  /** Names whose values go beside those that are known, and names whose values stay; case does not matter. */
  readonly hiddenNames?: readonly string[];
  readonly shownNames?: readonly string[];
  /** Regular expressions of what goes wherever it stands. */
  readonly patterns?: readonly string[];
}

export interface RedactedText {
  readonly text: string;
  /** How many places were replaced. */
  readonly count: number;
}

/**
 * Replaces secrets in text. Equal ones get equal placeholders; what is none stays byte for byte; JSON stays JSON of the
 * same structure. Linear in the length of the text, and a fraction of that where nothing is suspicious.
 */
export class Redactor {
  /** Patterns that were not taken, and why. */
  readonly refused: readonly RefusedPattern[];
  private readonly names: SecretNames;
  private readonly patterns: readonly RegExp[];
  private readonly placeholder: (kind: string, secret: string) => string;

  constructor(key: Uint8Array, { hiddenNames = [], shownNames = [], patterns = [] }: RedactionSettings = {}) {
    const compiled = patterns.map(compilePattern);
    this.refused = compiled.filter((each) => each.kind === 'refused');
    this.patterns = compiled.flatMap((each) => (each.kind === 'pattern' ? [each.pattern] : []));
    this.names = new SecretNames({ hidden: hiddenNames, shown: shownNames });
    this.placeholder = createPlaceholders(key);
  }

  /** `kept` are values that stay whatever they look like: the ids that join a message to its answer. */
  redact(text: string, isJson: boolean, kept: ReadonlyArray<string> = []): RedactedText {
    const spans: Span[] = [];
    const add = (span: Span) => {
      spans.push(span);
    };
    findKnownTokens(text, add);
    findAfterDashes(text, this.names, add);
    findNamedValues(text, this.names, add);
    if (this.patterns.length > 0) {
      (isJson ? findPatternsInJson : findPatterns)(text, this.patterns, add);
    }
    if (spans.length === 0) {
      return { text, count: 0 };
    }
    const going = apart(spans).filter(({ start, end }) => end > start && !kept.includes(text.slice(start, end)));
    const redacted = this.replace(text, going);
    // What is found by place is guessed where texts are quoted in texts; JSON has to stay JSON even so.
    const isBroken = isJson && !isJsonText(redacted) && isJsonText(text);
    return { text: isBroken ? this.replace(text, wholeScalars(text, going)) : redacted, count: going.length };
  }

  private replace(text: string, spans: readonly Span[]): string {
    return replaceSpans(
      text,
      spans,
      ({ start, end, kind, quote = '' }) => quote + this.placeholder(kind, text.slice(start, end)) + quote,
    );
  }

  /** What stands for a secret that is known as one. */
  placeholderOf(kind: string, secret: string): string {
    return this.placeholder(kind, secret);
  }
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
