import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Language, type Node, Parser, type Tree } from 'web-tree-sitter';
import { systemClock } from '../../../src/base/systemClock.ts';
import { copyTree } from '../../../src/lint/copyTree.ts';
import { languageOf } from '../../../src/lint/engine.ts';
import { frontEnds } from '../../../src/lint/languages/frontEnd.ts';
import { nodeTypesOf } from '../../../src/lint/nodeTypes.ts';
import { Pacer } from '../../../src/lint/pacer.ts';
import type { SyntaxNode } from '../../../src/lint/syntax.ts';
import { treeModule, type Walk, walkThrough } from '../../../src/lint/treeWalk.ts';
import { fixtures, grammars } from './support.ts';

const parsers = new Map<string, Parser>();

beforeAll(async () => {
  treeModule.wasmBinary = await grammars.load('web-tree-sitter.wasm');
  await Parser.init(treeModule);
  for (const { grammar } of Object.values(frontEnds)) {
    if (!parsers.has(grammar)) {
      const language = await Language.load(await grammars.load(`tree-sitter-${grammar}.wasm`));
      parsers.set(grammar, new Parser().setLanguage(language));
    }
  }
});

/** As lists, which read well where they differ: type, field, start, end, children. */
type Plain = readonly [string, string | undefined, number, number, readonly Plain[]];

const plain = ({ type, field, start, end, children }: SyntaxNode): Plain => [
  type,
  field,
  start,
  end,
  children.map(plain),
];

/** What a copy holds, found by asking the parser for all of it. `hasFields`: whether the fields of children are asked for. */
function expected(node: Node, language: Language, field: string | undefined, isRoot: boolean): Plain {
  const type = nodeTypesOf(language)[node.typeId];
  const isClosed = type !== undefined && (type.isLeaf || (type.isPrefixed && !/^[a-zA-Z]*[ft]/i.test(node.text)));
  const children = node.children.flatMap((child, index): readonly Plain[] => {
    const childType = nodeTypesOf(language)[child.typeId];
    const own = !isRoot && type?.hasFields !== false ? (node.fieldNameForChild(index) ?? undefined) : undefined;
    const isKept = childType?.isSkipped !== true && (child.isNamed || own !== undefined);
    return isKept ? [expected(child, language, own, false)] : [];
  });
  return [node.type, field, node.startIndex, node.endIndex, isClosed || !node.isNamed ? [] : children];
}

/** The two ways through a tree: around the library's cursor, and by it. */
const WALKS: readonly ((tree: Tree) => Walk)[] = [walkThrough, (tree) => tree.walk()];

function parsed(file: string, text: string): Tree {
  const tree = parsers.get(frontEnds[languageOf(file) ?? 'python'].grammar)?.parse(text);
  if (tree == null) {
    throw new Error(`${file} was not parsed`);
  }
  return tree;
}

async function copyOf(tree: Tree, text: string, walk: (tree: Tree) => Walk, pacer = patient()): Promise<Plain> {
  const copy = await copyTree(tree, text, pacer, walk);
  if (copy === undefined) {
    throw new Error('the copy was given up');
  }
  return plain(copy.root);
}

const patient = () => new Pacer(systemClock, () => false);

async function expectCopies(file: string, text: string): Promise<void> {
  const tree = parsed(file, text);
  const wanted = expected(tree.rootNode, tree.language, undefined, true);
  for (const walk of WALKS) {
    expect(await copyOf(tree, text, walk)).toEqual(wanted);
  }
  tree.delete();
}

const snippets = readdirSync(fixtures, { recursive: true, encoding: 'utf8' })
  .filter((file) => languageOf(file) !== undefined)
  .map((file): readonly [string, string] => [file, readFileSync(path.join(fixtures, file), 'utf8')]);

/** Spelled so, since these are places in texts of other languages. */
const hole = (name: string) => `\${${name}}`;

describe('copyTree', () => {
  it('has snippets of every language', () => {
    expect(new Set(snippets.map(([file]) => frontEnds[languageOf(file) ?? 'python'].family)).size).toBe(9);
  });

  it.each(snippets)('copies %s as the parser has it', async (file, text) => {
    await expectCopies(file, text);
  });

  it.each([
    ['empty.py', ''],
    ['brackets.py', 'f()\ng( )\nh(a,)\nk(a , b)\nx = []\ny = {}\nz = [a,\n  # why\n  b,\n]\n'],
    ['comments.py', 'f(a, # one\n  b)\nf( # two\n  a)\nx = {a: 1, # three\n}\n'],
    ['words.py', 'ä = bé\nself.größe = Ωmega_1\nprint(x, y)\nmatch = 1\n'],
    ['strings.py', 'x = f"{a}, {b}, c"\ny = "{a}, b"\nz = rf"{a!r:>{w}}"\n'],
    ['broken.py', 'def f(a,\n  return {"a": b,, c}\nx = (\n'],
    ['brackets.ts', 'f();\nf(a,);\nf(/* c */ a, b);\nconst x = [, a,, b];\nconst y = { a, b: c, };\nfoo?.(a)![b];\n'],
    ['words.ts', 'const \\u0061b = a!;\nconst käse = x?.y;\nclass A { #p = 1; get [b]() { return this.#p; } }\n'],
    ['strings.ts', `const x = \`${hole('a')}, ${hole('b')}, c\`;\nconst y = f\`a, ${hole('b')}\`;\n`],
    ['broken.ts', 'const x = { a: , b };\nf(a,, b\nif (\n'],
    ['page.tsx', 'const x = <A b={c}>{d}, e {f}, </A>;\n'],
    ['words.rb', 'save! if empty? and a&.b?\nputs a, b\nputs (1), 2\nx = [a, b,]\nf(a: 1, **b)\n'],
    ['words.rs', 'fn r#type(r#in: i32) { vec![a, b,]; f(r#in, a?); }\n'],
    ['words.cs', 'class A { void B(int @class) { F(@class, x!, y?.Z); var s = $"{a}, {b}, c"; } }\n'],
    ['nowdoc.php', '<?php $x = <<<\'A\'\n    {\n      "a": {\n      }\n    }\n    A;\n'],
    ['words.php', '<?php f($a, $b->c, ); $x = [1, , 2]; echo "$a, {$b}, c";\n'],
    ['words.go', 'package a\nfunc f(a, b int) { g(a, b...,) ; x := []int{1, 2,} }\n'],
  ])('copies %s as the parser has it', async (file, text) => {
    await expectCopies(file, text);
  });

  it('walks without the detours of the cursor of the library', () => {
    const tree = parsed('a.py', 'f(a)\n');
    const walk = walkThrough(tree);
    // It is an instance of the library's class where the functions that this needs have other names.
    expect(walk.pause).toBeDefined();
    walk.delete();
    tree.delete();
  });

  it('goes on where it was, whatever was done with the parser meanwhile', async () => {
    const texts = ['f(a, b)\n'.repeat(3000), 'x = {"a": [b]}\n'.repeat(3000)];
    const trees = texts.map((text) => parsed('a.py', text));
    const alone = await Promise.all(trees.map((tree, index) => copyOf(tree, texts[index] ?? '', walkThrough)));
    let pauses = 0;
    const hurried = () => {
      let now = 0;
      const sleep = async () => {
        pauses++;
        await Promise.resolve();
        parsed('b.py', 'g(1)\n').delete();
        return 'elapsed' as const;
      };
      return new Pacer({ ...systemClock, monoUs: () => (now += 1_000_000), sleep }, () => false);
    };
    const together = await Promise.all(
      trees.map((tree, index) => copyOf(tree, texts[index] ?? '', walkThrough, hurried())),
    );
    expect(pauses).toBeGreaterThan(10);
    expect(together).toEqual(alone);
    for (const tree of trees) {
      tree.delete();
    }
  });

  it.each(WALKS)('stops when it is no longer wanted', async (walk) => {
    const text = 'f(a)\n'.repeat(20_000);
    const tree = parsed('a.py', text);
    let now = 0;
    const pacer = new Pacer({ ...systemClock, monoUs: () => (now += 1_000_000) }, () => true);
    expect(await copyTree(tree, text, pacer, walk)).toBeUndefined();
    tree.delete();
  });
});
