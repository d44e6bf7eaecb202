import type { CatchClause } from '../ir.ts';
import type { SourceText } from '../syntax.ts';
import type { Change } from './edits.ts';

/** Lets errors of a class out of a catch: `if (e instanceof X) throw e;`. Undefined when the catch binds a pattern. */
export function letThrough(clause: CatchClause, name: string, source: SourceText): Change[] | undefined {
  const head = /^catch\s*(\([^()]*\))?\s*\{/.exec(source.text.slice(clause.start, clause.start + 200));
  if (head === null || source.text.slice(clause.start, clause.end).includes(`instanceof ${name}`)) {
    return head === null ? undefined : [];
  }
  if (head[1] !== undefined && clause.variable === undefined) {
    return undefined;
  }
  const variable = clause.variable ?? 'error';
  const after = clause.start + head[0].length;
  const first = clause.body[0]?.start;
  const isBroken = first === undefined || source.text.slice(after, first).includes('\n');
  const indent = `${source.indentAt(clause.start)}  `;
  const check = `if (${variable} instanceof ${name}) throw ${variable};`;
  const body = { start: after, end: after, text: isBroken ? `${source.lineBreak}${indent}${check}` : ` ${check}` };
  const keyword = clause.start + 'catch'.length;
  return head[1] === undefined ? [{ start: keyword, end: keyword, text: ` (${variable})` }, body] : [body];
}
