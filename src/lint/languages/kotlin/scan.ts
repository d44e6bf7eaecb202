import { childOf, childOfType, type SourceText, type SyntaxNode } from '../../syntax.ts';
import type { Sink } from './tails.ts';

/** A call whose lambda is lowered in place, and what `return@name` does inside of it; a function stops the search. */
export interface Label {
  readonly name: string | undefined;
  readonly sink: Sink | undefined;
}

/** What one place of a file must know of all others before it is lowered. */
export interface FileFacts {
  /** Functions that are called as `x.name()` and belong to no class of their own. */
  readonly extensions: ReadonlySet<string>;
  /** Names of all functions of the file. */
  readonly functions: ReadonlySet<string>;
  /** The parameters of the classes that hold values, in order. */
  readonly records: ReadonlyMap<string, readonly string[]>;
  readonly labels: Label[];
}

const facts = new WeakMap<SourceText, FileFacts>();
const NOTHING: FileFacts = { extensions: new Set(), functions: new Set(), records: new Map(), labels: [] };

/** What is known of the file that `source` is the text of. */
export const factsOf = (source: SourceText): FileFacts => facts.get(source) ?? NOTHING;

/** Reads the whole tree once; depth costs no stack. */
export function scanFile(root: SyntaxNode, source: SourceText): void {
  const extensions = new Set<string>();
  const functions = new Set<string>();
  const records = new Map<string, readonly string[]>();
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const name = childOf(node, 'name');
    if (node.type === 'function_declaration' && name !== undefined) {
      functions.add(source.slice(name));
      const first = node.children.find(({ type }) => type !== 'modifiers' && type !== 'type_parameters');
      if (first !== name) {
        extensions.add(source.slice(name));
      }
    }
    const made = node.type === 'class_declaration' ? childOfType(node, 'primary_constructor') : undefined;
    const parameters = made === undefined ? undefined : childOfType(made, 'class_parameters');
    if (parameters !== undefined && name !== undefined) {
      const named = parameters.children.map((parameter) => childOfType(parameter, 'identifier'));
      records.set(
        source.slice(name),
        named.map((it) => (it === undefined ? '' : source.slice(it))),
      );
    }
    for (const child of node.children) {
      open.push(child);
    }
  }
  facts.set(source, { extensions, functions, records, labels: [] });
}
