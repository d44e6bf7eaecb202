import { afterAll, describe, expect, it } from 'vitest';
import { engine, findingsIn } from '../lintText.ts';

afterAll(() => engine.dispose());

const DEEP = 6000;
const nest = (open: string, close: string, inner = '1') => open.repeat(DEEP) + inner + close.repeat(DEEP);

/** Each file has the mark of an SDK, so that it is parsed, and nesting that no one writes by hand. */
const nested: readonly [string, string][] = [
  ['a.go', `package a // CallToolResult\nfunc f() { x := ${nest('(', ')')} }`],
  ['a.go', `package a // CallToolResult\nfunc f() { ${nest('{', '}', 'x()')} }`],
  ['a.go', `package a // CallToolResult\nvar x = [][]T${nest('{', '}', '')}`],
  ['a.cs', `// CallToolResult\nclass A { int F() { return ${nest('(', ')')}; } }`],
  ['a.cs', `// CallToolResult\nclass A { void F() { ${nest('{', '}', 'x();')} } }`],
  ['a.cs', `// CallToolResult\n${nest('class A {', '}', '')}`],
  ['a.java', `// CallToolResult\nclass A { int f() { return ${nest('(', ')')}; } }`],
  ['a.java', `// CallToolResult\n${nest('class A {', '}', '')}`],
  ['a.kt', `// CallToolResult\nfun f() = ${nest('(', ')')}`],
  ['a.kt', `// CallToolResult\nfun f() { ${nest('x.let { ', '}')} }`],
  ['a.kt', `// CallToolResult\nfun f() = ${nest('if (x) 1 else ', '')}`],
  ['a.kt', `// CallToolResult\nfun f() = ${nest('try { ', ' } catch (e: E) { 1 }')}`],
  ['a.kt', `// CallToolResult\nfun f() = x${nest('.getOrElse { 1 }', '', '')}`],
  ['a.kt', `// CallToolResult\n${nest('class A { ', '}', '')}`],
  ['a.rs', `// CallToolResult\nfn f() -> i32 { ${nest('(', ')')} }`],
  ['a.rs', `// CallToolResult\nfn f() -> i32 { ${nest('{', '}')} }`],
  ['a.rs', `// CallToolResult\nfn f() -> V { json!(${nest('{"a":', '}')}) }`],
  ['a.rs', `// CallToolResult\nfn f() -> i32 { ${nest('if x { 1 } else { ', '}')} }`],
  ['a.php', `<?php // McpTool\nfunction f() { return ${nest('[', ']')}; }`],
  ['a.php', `<?php // McpTool\nfunction f() { ${nest('{', '}', 'x();')} }`],
  ['a.rb', `# MCP::\ndef f\n  ${nest('(', ')')}\nend`],
  ['a.rb', `# MCP::\ndef f\n${nest('begin\n', '\nend', 'x')}\nend`],
  ['a.rb', `# MCP::\n${nest('module A\n', '\nend', '')}`],
];

/** Texts on which a careless pattern would not come back. */
const long: readonly [string, string][] = [
  ['a.go', `package a // CallToolResult\nfunc f() { fmt.Sprintf("%${'0'.repeat(200_000)}") }`],
  ['a.cs', `// CallToolResult\nclass A { string F() => string.Format("{${'1'.repeat(200_000)}"); }`],
  ['a.cs', `// CallToolResult\nclass A { string F() => """a ${'"" '.repeat(60_000)} """; }`],
  ['a.java', `// CallToolResult\nclass A { Object f() { return new ${' '.repeat(200_000)}B(); } }`],
  ['a.kt', `// CallToolResult\nfun f() = "${'$a'.repeat(60_000)}${'a'.repeat(200_000)}"`],
  ['a.rs', `// CallToolResult\nfn f() { format!("{${'a'.repeat(200_000)}"); }`],
  ['a.rs', `// CallToolResult\nuse a::${' '.repeat(200_000)}b as c;`],
  ['a.rs', `// CallToolResult\nuse a::${' '.repeat(3_900)}!b;`],
  ['a.php', `<?php // McpTool\nsprintf('%${'0'.repeat(200_000)}');`],
  ['a.rb', `# MCP::\nformat("%${'0'.repeat(200_000)}")`],
];

/** One value or another, of which each level holds the one before it: nothing may be walked twice for each. */
const chained = (call: string, operator: string) =>
  Array.from({ length: 60 }, (_, at) => `${call}(${at})`).join(operator);
const chains: readonly [string, string][] = [
  [
    'a.py',
    `from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("a")\n@mcp.tool()\ndef f(x):\n    return ${chained('g', ' or ')}\n`,
  ],
  [
    'b.py',
    `from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("a")\n@mcp.tool()\ndef f(x):\n    return ${chained('g', ' and ')}\n`,
  ],
  ['a.ts', `// modelcontextprotocol\nserver.tool("f", {}, async () => ${chained('g', ' ?? ')});\n`],
  ['b.ts', `// modelcontextprotocol\nserver.tool("f", {}, async () => ${chained('g', ' || ')});\n`],
  ['c.ts', `// modelcontextprotocol\nserver.tool("f", {}, async () => ${chained('g', ' ? 1 : ')});\n`],
  ['a.cs', `// CallToolResult\nclass A { [McpServerTool] string F() => ${chained('g', ' ?? ')}; }`],
  ['a.kt', `// CallToolResult\nval a = RegisteredTool(tool) { ${chained('g', ' ?: ')} }`],
  ...(
    [
      ['(', '?.let { it } ?: y)'],
      ['requireNotNull(x) { return ', ' }'],
      ['requireNotNull(', ') { return }'],
      ['foo { CallToolResult(', ') }'],
      ['with(', ') { x }'],
      ['mapOf("a" to ', ')'],
      ['buildJsonObject { put("a", ', ') }'],
      ['x.getOrElse { ', ' }'],
      ['when (', ') { else -> 1 }'],
      ['f(', ' ?: return)'],
    ] as const
  ).map(([open, close], at): [string, string] => [
    `nested${at}.kt`,
    `// CallToolResult\nval a = RegisteredTool(tool) { ${open.repeat(40)}x${close.repeat(40)} }`,
  ]),
  ['a.php', `<?php // McpTool\nclass A { #[McpTool] function f() { return ${chained('g', ' ?? ')}; } }`],
  ['b.php', `<?php // McpTool\nclass A { #[McpTool] function f() { return ${chained('g', ' ?: ')}; } }`],
  ['a.rb', `# MCP::\nclass A < MCP::Tool\n  def self.call(a:)\n    ${chained('g', ' || ')}\n  end\nend`],
  ['a.rs', `// CallToolResult\nimpl A { #[tool] fn f(&self) -> String { g(0)${'.unwrap_or(h(1))'.repeat(60)} } }`],
  ['a.go', `package a // CallToolResult\nfunc f() bool { return ${chained('g', ' || ')} }`],
  ['a.java', `// CallToolResult\nclass A { @McpTool boolean f() { return ${chained('g', ' || ')}; } }`],
];

describe('hostile files', () => {
  it.each(chains)('chained %s', { timeout: 3000 }, async (path, text) => {
    expect(await findingsIn(path, text)).toEqual([]);
  });

  it.each(nested)('nested %s', async (path, text) => {
    expect(await findingsIn(path, text)).toEqual([]);
  });

  it.each(long)('long %s', async (path, text) => {
    expect(await findingsIn(path, text)).toEqual([]);
  });
});
