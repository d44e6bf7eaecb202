import type { FilterError, FilterNode } from './ast.ts';
import { parseFilter } from './parse.ts';

/**
 * The filter without its last word, where that one is wrong: it is still being written, and its beginnings were filters too,
 * which found nothing. `undefined` where what is wrong stands earlier.
 */
export function goodPart(
  text: string,
  { offset, length }: FilterError,
): { readonly text: string; readonly root: FilterNode } | undefined {
  const end = text.trimEnd().length;
  if (offset + length < end) {
    return undefined;
  }
  let wordAt = end;
  while (wordAt > 0 && !/\s/.test(text.charAt(wordAt - 1))) {
    wordAt -= 1;
  }
  const before = text.slice(0, wordAt).trimEnd();
  const parsed = parseFilter(before);
  return parsed.kind === 'filter' ? { text: before, root: parsed.root } : undefined;
}
