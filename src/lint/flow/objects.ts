import type { Block, Entry, Expression } from '../ir.ts';
import type { ObjectEntry, Shape, Value } from '../model.ts';
import { type Frame, flagOf, one } from './frame.ts';
import { type MemberAssign, mayReach } from './functionFlow.ts';

type Evaluate = (expression: Expression, frame: Frame) => Value;

const FLAG_KEYS = new Set(['isError', 'is_error']);

/**
 * What a literal object is: a tool result when it has content blocks, a block when it has a type and a text, else plain
 * data. `evaluate` evaluates its parts.
 */
export function objectValue(
  source: Expression,
  entries: readonly Entry[],
  spreads: readonly Expression[],
  frame: Frame,
  evaluate: Evaluate,
): Value {
  const spread = spreads.map((expression) => evaluate(expression, frame));
  const content = entries.find(({ key }) => key === 'content');
  const inherited = spread.flat().find(({ shape }) => shape.kind === 'result')?.shape;
  if (content !== undefined && content.value.kind !== 'text' && !entries.some(({ key }) => key === 'role')) {
    const isOpen = spread.some(
      (value) => value.length !== 1 || (value[0]?.shape.kind !== 'object' && value[0]?.shape.kind !== 'result'),
    );
    return resultValue(source, entries, content.value, isOpen, inherited, frame, evaluate);
  }
  if (inherited?.kind === 'result' && spread.length === 1) {
    const entry = entries.find(({ key }) => key !== undefined && FLAG_KEYS.has(key));
    return one(
      { ...inherited, flag: entry === undefined ? inherited.flag : flagOf(entry), firstEntry: undefined },
      source,
      frame,
    );
  }
  const text = entries.find(({ key }) => key === 'text');
  if (text !== undefined && entries.some(({ key }) => key === 'type')) {
    return one({ kind: 'block', text: evaluate(text.value, frame), source: text.value }, source, frame);
  }
  const own = entriesOf(entries, frame, evaluate);
  const spreadEntries = spread.map(entriesOfSpread);
  return one(
    {
      kind: 'object',
      entries: [
        ...spreadEntries.flatMap((known) => known ?? []).filter(({ key }) => !own.some((entry) => entry.key === key)),
        ...own,
      ],
      isOpen: spreadEntries.includes(undefined) || entries.some((e) => e.key === undefined),
    },
    source,
    frame,
  );
}

/** `{**data, …}` has what `data` has, where that is written out; undefined where it is not. */
function entriesOfSpread(value: Value): readonly ObjectEntry[] | undefined {
  const shape = value.length === 1 ? value[0]?.shape : undefined;
  return shape?.kind === 'object' && !shape.isOpen ? shape.entries : undefined;
}

function entriesOf(entries: readonly Entry[], frame: Frame, evaluate: Evaluate): ObjectEntry[] {
  return entries.slice(0, 40).flatMap((entry) =>
    entry.key === undefined
      ? []
      : [
          {
            key: entry.key,
            value: evaluate(entry.value, frame),
            source: entry.value,
            start: entry.start,
            end: entry.end,
          },
        ],
  );
}

function resultValue(
  source: Expression,
  entries: readonly Entry[],
  content: Expression,
  isOpen: boolean,
  inherited: Shape | undefined,
  frame: Frame,
  evaluate: Evaluate,
): Value {
  const flagEntry = entries.find(({ key }) => key !== undefined && FLAG_KEYS.has(key));
  const structured = entries.find(({ key }) => key === 'structuredContent' || key === 'structured_content');
  const own = flagEntry === undefined ? 'absent' : flagOf(flagEntry);
  const given = inherited?.kind === 'result' && own === 'absent' ? inherited.flag : own;
  return one(
    {
      kind: 'result',
      flag: isOpen && given === 'absent' ? 'unknown' : given,
      blocks: evaluate(content, frame),
      structured: structured === undefined ? [] : evaluate(structured.value, frame),
      flagEntry,
      firstEntry: entries[0],
      isCall: false,
    },
    source,
    frame,
  );
}

/** What `x.isError = true` and `x["error"] = …` make of a value held in `x`. */
export function withMembers(name: string, value: Value, frame: Frame, evaluate: Evaluate): Value {
  const members = frame.flow?.members.get(name);
  if (members === undefined) {
    return value;
  }
  const keys = new Set(members.map(({ key }) => key));
  if ([...keys].some((key) => key !== undefined && FLAG_KEYS.has(key))) {
    return value.filter(({ shape }) => shape.kind !== 'result' && shape.kind !== 'object');
  }
  return value.flatMap((it): Value => {
    if (it.shape.kind !== 'object') {
      return [it];
    }
    const kept = it.shape.entries.filter(({ key }) => !keys.has(key));
    const { site: place } = frame;
    const given = place === undefined ? members : members.filter(({ site }) => mayReach(site, place));
    // What is set side by side belongs together: a status and its message.
    const byBlock = new Map<Block, MemberAssign[]>();
    for (const member of given.slice(0, 12)) {
      byBlock.set(member.site.block, [...(byBlock.get(member.site.block) ?? []), member]);
    }
    const added = [...byBlock.values()].slice(0, 6).flatMap((together): Value => {
      const entries = together.flatMap(({ key, value: source, site }) => {
        const at: Frame = { ...frame, site, context: site.context };
        return key === undefined || source === undefined
          ? []
          : [{ key, value: evaluate(source, at), source, start: source.start, end: source.end }];
      });
      const site = together[0]?.site;
      return site === undefined || entries.length === 0
        ? []
        : [{ ...it, shape: { kind: 'object', entries, isOpen: true }, context: site.context, assignedAt: site }];
    });
    return [{ ...it, shape: { ...it.shape, entries: kept } }, ...added];
  });
}
