const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Do the brackets of this JSON nest deeper than `limit`? Reads bytes, before anything is parsed, since a parser spends
 * memory on every bracket. Linear; text that is no JSON gets some answer.
 */
export function isDeeperThan(json: Uint8Array, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case QUOTE:
        at = endOfString(json, at + 1);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > limit) {
          return true;
        }
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      default:
        break;
    }
  }
  return false;
}

/** Index of the quote that closes the string whose text begins at `from`; the length when none does. */
function endOfString(json: Uint8Array, from: number): number {
  for (let quote = json.indexOf(QUOTE, from); quote >= 0; quote = json.indexOf(QUOTE, quote + 1)) {
    let slash = quote;
    while (slash > from && json[slash - 1] === BACKSLASH) {
      slash -= 1;
    }
    if ((quote - slash) % 2 === 0) {
      return quote;
    }
  }
  return json.length;
}
