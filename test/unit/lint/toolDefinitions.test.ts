import { afterAll, expect, it } from 'vitest';
import { languageOf } from '../../../src/lint/engine.ts';
import { engine } from './lintText.ts';

afterAll(() => engine.dispose());

/** What the definitions of the tools of a text cover, by the names of the tools. */
async function definitions(path: string, text: string): Promise<Readonly<Record<string, string>>> {
  const languageId = languageOf(path);
  const result =
    languageId === undefined ? undefined : await engine.lint({ path, text, languageId }, { confidence: 'high' });
  const lines = text.split('\n');
  return Object.fromEntries(
    (result?.kind === 'linted' ? result.tools : []).map(({ name, range }) => [
      name,
      `${range.startLine + 1}: ${lines[range.startLine]?.slice(range.startColumn, range.endColumn)}`,
    ]),
  );
}

const python = `from mcp.server.fastmcp import FastMCP
mcp = FastMCP("shop")

@mcp.tool()
def get_author(title: str) -> str:
    return "Unknown"

@mcp.tool(name="price")
async def get_price(get_price_of: str) -> str:
    return "1"

@mcp.resource("book://{isbn}")
def book(isbn: str) -> str:
    return isbn
`;

const lowLevel = `from mcp.server.lowlevel import Server
server = Server("shop")

@server.call_tool()
async def call(name, arguments):
    if name == "get_author":
        return [TextContent(type="text", text="Unknown")]
    if name == "get_price":
        return [TextContent(type="text", text="1")]
    raise ValueError(name)
`;

const typescript = `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "shop", version: "1" });
server.registerTool("get_author", { description: "an 'author'" }, async () => ({ content: [] }));
server.tool('get_price', {}, getPrice);
async function getPrice() {
  return { content: [{ type: "text", text: "1" }] };
}
`;

it.each([
  ['a decorated function', 'a.py', python, { get_author: '5: get_author', price: '9: get_price' }],
  ['a dispatch', 'b.py', lowLevel, { get_author: '6: "get_author"', get_price: '8: "get_price"' }],
  ['a registration', 'c.ts', typescript, { get_author: '3: "get_author"', get_price: '5: getPrice' }],
  ['a file without tools', 'd.py', 'print("mcp")\n', {}],
])('finds the tools of %s', async (_, path, text, expected) => {
  expect(await definitions(path, text)).toEqual(expected);
});
