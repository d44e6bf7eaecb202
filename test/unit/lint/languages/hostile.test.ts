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
  ['a.rs', `// CallToolResult\nfn f() { format!("{${'a'.repeat(200_000)}"); }`],
  ['a.php', `<?php // McpTool\nsprintf('%${'0'.repeat(200_000)}');`],
  ['a.rb', `# MCP::\nformat("%${'0'.repeat(200_000)}")`],
];

describe('hostile files', () => {
  it.each(nested)('nested %s', async (path, text) => {
    expect(await findingsIn(path, text)).toEqual([]);
  });

  it.each(long)('long %s', async (path, text) => {
    expect(await findingsIn(path, text)).toEqual([]);
  });
});
