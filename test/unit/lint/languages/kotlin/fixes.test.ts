import { afterAll, describe, expect, it } from 'vitest';
import { applyFix } from '../../applyFix.ts';
import { engine, findingsIn } from '../../lintText.ts';

afterAll(() => engine.dispose());

/** Spelled so, since these are places in texts of another language. */
const hole = (name: string) => `\${${name}}`;

const sdk = 'import io.modelcontextprotocol.kotlin.sdk.server.Server\n';
const tool = (body: string) =>
  `${sdk}fun Server.lend() {\n    addTool("lend", "Lends") { request ->\n        ${body}\n    }\n}\n`;
const spring = (body: string) =>
  `import org.springframework.ai.tool.annotation.Tool\nclass Lending {\n    @Tool(description = "Lends")\n    fun lend(isbn: String): String {\n        ${body}\n    }\n}\n`;
const quarkus = (body: string, imported = '') =>
  `${imported}import io.quarkiverse.mcp.server.Tool\nclass Lending {\n    @Tool\n    fun lend(isbn: String): String {\n        ${body}\n    }\n}\n`;

/** What is returned stands between `«` and `»`; the fix and whether it is safe. */
const cases: readonly (readonly [name: string, marked: string, fixed: string, isSafe: boolean])[] = [
  [
    'the flag behind the last argument',
    tool('«CallToolResult(listOf(TextContent("Error: out")))»'),
    tool('CallToolResult(listOf(TextContent("Error: out")), isError = true)'),
    true,
  ],
  [
    'the flag on a line of its own',
    tool('«return@addTool CallToolResult(\n            content = listOf(TextContent("Error: out"))\n        )»'),
    tool(
      'return@addTool CallToolResult(\n            content = listOf(TextContent("Error: out")),\n            isError = true\n        )',
    ),
    true,
  ],
  [
    'the flag behind a trailing comma',
    tool('«CallToolResult(\n            content = listOf(TextContent("Error: out")),\n        )»'),
    tool(
      'CallToolResult(\n            content = listOf(TextContent("Error: out")),\n            isError = true,\n        )',
    ),
    true,
  ],
  [
    'a flag that is there',
    tool('«CallToolResult(isError = false, content = listOf(TextContent("Error: out")))»'),
    tool('CallToolResult(isError = true, content = listOf(TextContent("Error: out")))'),
    true,
  ],
  [
    'the other function of the SDK',
    tool('«CallToolResult.success("Error: out")»'),
    tool('CallToolResult.error("Error: out")'),
    true,
  ],
  [
    'an exception from an annotated method',
    spring('if (isbn.isEmpty()) «return "Error: $isbn is empty"»\n        return go(isbn)'),
    spring('if (isbn.isEmpty()) throw RuntimeException("Error: $isbn is empty")\n        return go(isbn)'),
    false,
  ],
  [
    'an exception as the value of a branch',
    spring(`return try { go(isbn) } catch (e: IOException) { «"Error: ${hole('e.message')}"» }`),
    spring(`return try { go(isbn) } catch (e: IOException) { throw RuntimeException("Error: ${hole('e.message')}") }`),
    false,
  ],
  [
    'the exception of Quarkus with its import',
    quarkus('«return "Error: out"»'),
    quarkus('throw ToolCallException("Error: out")', 'import io.quarkiverse.mcp.server.ToolCallException\n'),
    false,
  ],
];

describe('fixes for Kotlin', () => {
  it.each(cases)('%s', async (_, marked, fixed, isSafe) => {
    const text = marked.replace(/[«»]/g, '');
    const [finding, more] = await findingsIn('Lending.kt', text);
    expect(more).toBeUndefined();
    const { startLine, startColumn, endLine, endColumn } = finding?.range ?? {
      startLine: 0,
      startColumn: 0,
      endLine: 0,
      endColumn: 0,
    };
    const offsetOf = (line: number, column: number) =>
      text
        .split('\n')
        .slice(0, line)
        .reduce((sum, it) => sum + it.length + 1, column);
    const reported = text.slice(offsetOf(startLine, startColumn), offsetOf(endLine, endColumn));
    expect(reported).toBe(/«(.*)»/s.exec(marked)?.[1]);
    const fix = finding?.fixes.find(({ isPreferred }) => isPreferred);
    expect(fix?.isSafe).toBe(isSafe);
    expect(fix === undefined ? '' : applyFix(text, fix)).toBe(fixed);
  });

  it('offers no exception where the SDK takes results', async () => {
    const [finding] = await findingsIn('Lending.kt', tool('CallToolResult(listOf(TextContent("Error: out")))'));
    expect(finding?.fixes.map(({ title }) => title)).toEqual(['lint.fix.returnErrorResult']);
  });
});
