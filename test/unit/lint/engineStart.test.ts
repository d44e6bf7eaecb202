import { expect, it } from 'vitest';
import { LintEngine } from '../../../src/lint/engine.ts';
import { grammars } from './support.ts';

const server = `from fastmcp import FastMCP
mcp = FastMCP("x")

@mcp.tool
def open_book(isbn: str) -> str:
    return f"Error: {isbn} is missing"
`;

// In a file, and so in a process, of its own: nothing may have started the parser's runtime before.
it('starts the runtime of the parser once, however many engines start at the same time', async () => {
  // At hand, so that one is past its start while another starts.
  const names = ['web-tree-sitter.wasm', 'tree-sitter-python.wasm'];
  const files = new Map(await Promise.all(names.map(async (name) => [name, await grammars.load(name)] as const)));
  const load = async (name: string) => files.get(name) ?? Promise.reject(new Error(name));
  const engines = Array.from({ length: 5 }, () => new LintEngine({ load }));
  const document = { path: 'a.py', text: server, languageId: 'python' } as const;
  const results = await Promise.all(engines.map((one) => one.lint(document, { confidence: 'medium' })));
  for (const result of results) {
    expect(result).toMatchObject({ kind: 'linted', findings: [{ rule: 'FL010' }, { rule: 'FL001' }] });
  }
  for (const one of engines) {
    one.dispose();
  }
});
