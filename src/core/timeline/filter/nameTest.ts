import { nameInId } from '../../../protocol/serverId.ts';
import { at, type Columns, NONE } from '../columns.ts';
import type { RowTable, RowTest } from '../rowFilter.ts';
import type { StringTable } from '../stringTable.ts';
import type { NamePattern } from './ast.ts';
import type { FilterContext } from './compile.ts';
import type { FilterKey } from './keys.ts';
import { isMatch } from './names.ts';
import type { SeqSet } from './seqSet.ts';

const TOOL_CALL = 'tools/call';

/** Tests a name of the row. A row without one passes only where the empty name is asked for. */
export function nameTest(
  key: FilterKey,
  patterns: readonly NamePattern[],
  { columns, strings }: RowTable,
  context: FilterContext,
): RowTest {
  const isAny = (names: readonly string[]) =>
    names.some((name) => patterns.some((pattern) => isMatch(pattern, name.toLowerCase())));
  const isEmptyAsked = patterns.some(({ pieces }) => pieces.length === 1 && pieces[0] === '');
  switch (key) {
    case 'server': {
      const test = byName(strings, (id) => isAny(serverNames(id, context)));
      return (head) => test(at(columns.server, head));
    }
    case 'method': {
      const test = byName(strings, (name) => isAny([name]));
      return (head) => test(at(columns.method, head));
    }
    case 'origin': {
      // `tap` stands for every client that is tapped.
      const test = byName(strings, (name) => isAny([name, name.split(':', 1)[0] ?? name]));
      return (head) => test(at(columns.origin, head));
    }
    case 'session': {
      const test = byName(strings, (id) => isAny([id]) || patterns.some((pattern) => begins(pattern, id)));
      return (head) => test(at(columns.session, head));
    }
    case 'tool': {
      const isCall = byName(strings, (name) => name === TOOL_CALL);
      const test = byName(strings, (name) => isAny([name]));
      return (head) => {
        const target = at(columns.target, head);
        return target === 0 || !isCall(at(columns.method, head)) ? isEmptyAsked : test(target);
      };
    }
    default: {
      const test = byName(strings, (name) => isAny([name]));
      return (head) => {
        const target = at(columns.target, head);
        return target === 0 ? isEmptyAsked : test(target);
      };
    }
  }
}

/** Tests for a text, given in lower case, in the names of the row or in its messages. */
export function textTest(text: string, { columns, strings }: RowTable, context: FilterContext): RowTest {
  if (text === '') {
    return () => true;
  }
  const isIn = byName(strings, (name) => name.toLowerCase().includes(text));
  const isInServer = byName(strings, (id) =>
    serverNames(id, context).some((name) => name.toLowerCase().includes(text)),
  );
  const hits = context.hits?.(text);
  return (head) =>
    isIn(at(columns.method, head)) ||
    isIn(at(columns.target, head)) ||
    isInServer(at(columns.server, head)) ||
    (hits !== undefined && hits.size > 0 && hasHit(hits, columns, head));
}

/** The request's or the answer's message, of any attempt. */
function hasHit(hits: SeqSet, columns: Columns, head: number): boolean {
  for (let row = head; row !== NONE; row = at(columns.next, row)) {
    const seq = Math.floor(at(columns.key, row));
    const offset = at(columns.endOffset, row);
    if (hits.has(seq) || (offset !== 0 && hits.has(seq + offset))) {
      return true;
    }
  }
  return false;
}

/** A server's id, the name in it, and the name that a person gave it. */
function serverNames(id: string, { serverName }: FilterContext): readonly string[] {
  return [id, nameInId(id), serverName?.(id) ?? id];
}

function begins({ pieces }: NamePattern, name: string): boolean {
  const [only = '', second] = pieces;
  return second === undefined && only !== '' && name.toLowerCase().startsWith(only);
}

/** Tests the string of a number, each once. */
function byName(strings: StringTable, test: (name: string) => boolean): (id: number) => boolean {
  const known: (boolean | undefined)[] = [];
  return (id) => {
    const answer = known[id];
    if (answer !== undefined) {
      return answer;
    }
    const found = test(strings.textOf(id));
    // Numbers come in any order; a hole-free list stays fast.
    while (known.length < id) {
      known.push(undefined);
    }
    known[id] = found;
    return found;
  };
}
