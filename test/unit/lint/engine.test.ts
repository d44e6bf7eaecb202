import { afterAll, describe, expect, it, vi } from 'vitest';
import { Parser } from 'web-tree-sitter';
import { systemClock } from '../../../src/base/systemClock.ts';
import { LintEngine, type LintResult, languageOf } from '../../../src/lint/engine.ts';
import { engine, findingsIn, linesIn } from './lintText.ts';
import { grammars } from './support.ts';

afterAll(() => engine.dispose());

const server = 'from fastmcp import FastMCP\n\nmcp = FastMCP("x")\n\n';
const tool = '@mcp.tool\ndef open_book(isbn: str) -> str:\n    return f"Error: {isbn} is missing"\n';

const skip = (reason: string) => ({ kind: 'skipped', reason });
const python = (text: string) => ({ path: 'a.py', text, languageId: 'python' as const });

describe('LintEngine', () => {
  it.each([
    ['a binary file', `mcp\0\u0001${server}`, 'binary'],
    ['a file over 1 MB', `${server}${'# filler\n'.repeat(130_000)}`, 'too-large'],
    ['a file over 1 MB in UTF-8 only', `${server}${'# \u{9519}\u{8bef}\n'.repeat(120_000)}`, 'too-large'],
    ['a file without a mark of MCP', 'def add(a, b):\n    return a + b\n', 'no-sdk'],
  ])('skips %s', async (_, text, reason) => {
    expect(await engine.lint(python(text), { confidence: 'low' })).toEqual(skip(reason));
  });

  it('skips the tools of a kit that speaks no MCP', async () => {
    const tool = 'export default { name: "lend", inputSchema: {}, handler: () => ({ error: "no" }) };\n';
    const lint = (text: string) => engine.lint({ path: 'a.ts', text, languageId: 'typescript' }, { confidence: 'low' });
    expect(await lint(`import { tool } from "ai";\n${tool}`)).toEqual(skip('no-sdk'));
    expect(await lint(tool)).toMatchObject({ kind: 'linted', findings: [{ rule: 'FL001' }] });
  });

  it('parses nothing that it skips', async () => {
    const idle = new LintEngine({ load: () => Promise.reject(new Error('no grammar should load')) });
    expect(await idle.lint(python('print("hello")'), { confidence: 'low' })).toEqual(skip('no-sdk'));
  });

  it('is cancelled before it starts', async () => {
    const signal = AbortSignal.abort();
    expect(await engine.lint(python(server + tool), { confidence: 'low', signal })).toEqual(skip('cancelled'));
  });

  it('is cancelled on the way', async () => {
    const controller = new AbortController();
    const text = server + tool.repeat(8000);
    const linting = engine.lint(python(text), { confidence: 'low', signal: controller.signal });
    const timer = setTimeout(() => controller.abort(), 1);
    expect(await linting).toEqual(skip('cancelled'));
    clearTimeout(timer);
  });

  it('stops at whichever pause it is cancelled in, and pauses all the way', async () => {
    const text = `${server}${'# filler\n'.repeat(2000)}${tool.repeat(20)}`;
    // Time flies: each look at the clock finds that a pause is due.
    const pausesUntil = async (last: number): Promise<readonly [string, number]> => {
      const controller = new AbortController();
      let now = 0;
      let pauses = 0;
      const hurried = new LintEngine(grammars, {
        ...systemClock,
        monoUs: () => {
          now += 1_000_000;
          return now;
        },
        sleep: async () => {
          pauses++;
          if (pauses === last) {
            controller.abort();
          }
          return 'elapsed';
        },
      });
      const result = await hurried.lint(python(text), { confidence: 'low', signal: controller.signal });
      hurried.dispose();
      return [result.kind === 'skipped' ? result.reason : result.kind, pauses];
    };
    const [outcome, count] = await pausesUntil(Number.POSITIVE_INFINITY);
    expect(outcome).toBe('linted');
    // While parsing, copying, lowering, between handlers, rules and findings.
    expect(count).toBeGreaterThan(100);
    for (let last = 1; last <= count; last += Math.ceil(count / 40)) {
      expect(await pausesUntil(last)).toEqual(['cancelled', last]);
    }
    expect(await pausesUntil(count)).toEqual(['cancelled', count]);
  });

  it('says cancelled once it is disposed', async () => {
    const disposed = new LintEngine(grammars);
    disposed.dispose();
    expect(await disposed.lint(python(server + tool), { confidence: 'low' })).toEqual(skip('cancelled'));
  });

  it('tries again to load a grammar that failed', async () => {
    let fails = true;
    const flaky = new LintEngine({
      load: (file) => (fails ? Promise.reject(new Error('disk')) : grammars.load(file)),
    });
    await expect(flaky.lint(python(server + tool), { confidence: 'low' })).rejects.toThrow('disk');
    fails = false;
    expect((await flaky.lint(python(server + tool), { confidence: 'low' })).kind).toBe('linted');
    flaky.dispose();
  });

  it.each([
    ['brackets', `x = ${'['.repeat(10_000)}${']'.repeat(10_000)}\n`],
    ['open brackets', `x = ${'('.repeat(10_000)}\n`],
    ['a sum', `x = ${'"a" + '.repeat(10_000)}"b"\n`],
    ['attributes', `x = a${'.b'.repeat(10_000)}\n`],
    ['nested ifs', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}if a:\n`).join('')],
    ['an elif chain', `if a:\n    pass\n${'elif b:\n    pass\n'.repeat(3000)}`],
  ])('survives %s without end', async (_, nested) => {
    expect(await linesIn('a.py', `${server}${tool}${nested}`)).toEqual([7]);
  });

  it.each([
    ['brackets', `const x = ${'['.repeat(10_000)}${']'.repeat(10_000)};\n`],
    ['calls', `const x = ${'f('.repeat(5000)}${')'.repeat(5000)};\n`],
    ['ternaries', `const x = ${'a ? b : '.repeat(5000)}c;\n`],
    ['an else-if chain', `if (a) { b(); } ${'else if (a) { b(); } '.repeat(3000)}\n`],
    ['blocks', `${'{'.repeat(5000)}${'}'.repeat(5000)}\n`],
  ])('survives %s without end in TypeScript', async (_, nested) => {
    const text = `server.tool("t", {}, async () => ({ content: [{ type: "text", text: "Error: no" }] }));\n`;
    expect(await linesIn('a.ts', text + nested)).toEqual([1]);
  });

  it('lints around syntax errors', async () => {
    expect(await linesIn('a.py', `${server}def half(a):\n    x = foo(\n\n${tool}`)).toEqual([10]);
  });

  it('finds the same after an edit as from scratch', async () => {
    const before = server + tool.repeat(300);
    const after = before.replace('Error: ', 'All fine, ');
    const fresh = new LintEngine(grammars);
    const run = async (instance: LintEngine, text: string): Promise<LintResult> =>
      instance.lint({ path: 'edited.py', text, languageId: 'python' }, { confidence: 'medium', isEdited: true });
    await run(engine, before);
    expect(await run(engine, after)).toEqual(await run(fresh, after));
    fresh.dispose();
  });

  it.each([
    ['an open document is parsed with the tree of its last text', true, 1],
    ['any other is parsed anew', false, 0],
  ])('%s', async (_, isEdited, count) => {
    const parse = vi.spyOn(Parser.prototype, 'parse');
    for (const text of [server + tool.repeat(300), server + tool.repeat(301)]) {
      await engine.lint({ path: `open${isEdited}.py`, text, languageId: 'python' }, { confidence: 'medium', isEdited });
    }
    // Trees and not calls: on a busy machine a parser pauses, and each time that it resumes is a call with the same tree.
    const trees = new Set(parse.mock.calls.flatMap(([, old]) => old ?? []));
    parse.mockRestore();
    expect(trees.size).toBe(count);
  });

  it('lints several files at once', async () => {
    const texts = Array.from({ length: 6 }, (_, index) => `${server}${'# line\n'.repeat(index)}${tool}`);
    const lines = await Promise.all(texts.map((text, index) => linesIn(`many${index}.py`, text)));
    expect(lines).toEqual([[7], [8], [9], [10], [11], [12]]);
  });

  it.each([
    ['low', 3],
    ['medium', 2],
    ['high', 1],
  ] as const)('gives what is at least %s', async (confidence, count) => {
    const text = `${server}@mcp.tool
def a(x: str) -> str:
    if x == "1":
        return "Error: one"
    if x == "2":
        return "two is not supported"
    return {"items": x, "more": x, "page": x, "error": x.error}
`;
    expect((await findingsIn('a.py', text, { confidence })).length).toBe(count);
  });
});

describe('suppressions', () => {
  const at = (line: string, before = '') =>
    `${server}@mcp.tool\ndef a() -> str:\n${before}    return "Error: x"${line}\n`;

  it.each([
    ['the next line', at('', '    # faultline-disable-next-line FL001 -- the client wants it\n'), []],
    ['its own line', at('  # faultline-disable-line FL001'), []],
    ['every rule', at('  # faultline-disable-line'), []],
    ['the file', `# faultline-disable-file FL001 -- legacy\n${at('')}`, []],
    ['another rule', at('  # faultline-disable-line FL002'), [7]],
    ['a string, which is no comment', at('', '    x = "faultline-disable-next-line FL001"\n'), [8]],
  ])('obey a comment for %s', async (_, text, expected) => {
    expect(await linesIn('a.py', text)).toEqual(expected);
  });
});

describe('languageOf', () => {
  it.each([
    ['a/b.py', 'python'],
    ['b.mts', 'typescript'],
    ['b.tsx', 'typescriptreact'],
    ['b.cjs', 'javascript'],
    ['b.jsx', 'javascriptreact'],
    ['b.d.ts', undefined],
    ['b.swift', undefined],
    ['Makefile', undefined],
  ])('%s is %s', (path, expected) => {
    expect(languageOf(path)).toBe(expected);
  });
});
