import { contentEnd } from './quoting.ts';
import { afterSpaces, valueAt } from './separators.ts';
import type { AddSpan } from './spans.ts';
import { isWorthHiding } from './values.ts';

/** Variables of an environment that say nothing of anybody. */
const PUBLIC_VARIABLES =
  /^(?:PATH|PWD|HOME|USER|SHELL|LANG|LC_\w+|TERM|TMPDIR|TEMP|TMP|TZ|EDITOR|NODE_ENV|NODE_OPTIONS|PYTHONPATH|PYTHONUNBUFFERED|DEBUG|LOG_LEVEL|PORT|HOST|CI|VIRTUAL_ENV|JAVA_HOME|GOPATH|type|description|title|default|items|properties)$/;

/**
 * Hides the strings and numbers directly within the object or array that opens at `open`; what is nested deeper has names
 * of its own. Returns where it stopped, so that nothing is walked twice.
 */
export function redactContainer(text: string, open: number, kind: string, add: AddSpan): number {
  const isObject = text.charCodeAt(open) === 0x7b;
  let at = open + 1;
  for (;;) {
    at = afterSpaces(text, at, true);
    let name = '';
    if (isObject) {
      const key = valueAt(text, at);
      if (key.shape !== 'quoted') {
        return at;
      }
      const end = contentEnd(text, key.start, key.quote.length - 1, key.quote.slice(-1));
      name = text.slice(key.start, Math.min(end, key.start + 100));
      at = afterSpaces(text, end + key.quote.length, true);
      if (text.charCodeAt(at) !== 0x3a) {
        return at;
      }
      at = afterSpaces(text, at + 1, true);
    }
    const end = redactOne(text, at, name, kind, add);
    if (end === undefined) {
      return at;
    }
    at = afterSpaces(text, end, true);
    if (text.charCodeAt(at) !== 0x2c) {
      return at;
    }
    at++;
  }
}

/** Hides one value; returns its end, or `undefined` at what is nested or no JSON. */
function redactOne(text: string, at: number, name: string, kind: string, add: AddSpan): number | undefined {
  const value = valueAt(text, at);
  switch (value.shape) {
    case 'container':
      return undefined;
    case 'quoted': {
      const end = contentEnd(text, value.start, value.quote.length - 1, value.quote.slice(-1));
      if (!PUBLIC_VARIABLES.test(name) && isWorthHiding(text.slice(value.start, Math.min(end, value.start + 200)))) {
        add({ start: value.start, end, kind });
      }
      return end + value.quote.length;
    }
    case 'bare': {
      const bare = /[\w.+-]*/y;
      bare.lastIndex = at;
      const length = bare.exec(text)?.[0].length ?? 0;
      return length === 0 ? undefined : at + length;
    }
  }
}
