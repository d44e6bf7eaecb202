import { resourceNotFound } from '../../../../src/lint/rules/resourceNotFound.ts';
import { testRule, v1 } from './ruleTable.ts';

const resource = (body: string) => v1(body, '@mcp.resource("book://{x}")\ndef f(x: str):');
const v2 = (body: string) =>
  resource(body)
    .replace('from mcp.server.fastmcp import FastMCP', 'from mcp.server import MCPServer')
    .replace('FastMCP("a")', 'MCPServer("a")');
const ts = (body: string) =>
  `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\nconst server = new McpServer({});\nserver.registerResource("book", template, {}, async (uri) => {\n  ${body}\n  return { contents: [] };\n});\n`;

testRule(
  resourceNotFound,
  [
    { name: 'the error that says so', path: 'a.py', text: v2('raise ResourceNotFoundError(f"Book {x} not found")') },
    { name: 'another failure', path: 'a.py', text: v2('raise ValueError("The disk is full")') },
    {
      name: 'a plain error where there is nothing better',
      path: 'a.py',
      text: resource('raise ValueError("Book not found")'),
    },
    { name: 'a tool', path: 'a.py', text: v1('raise ValueError("Book not found")') },
    { name: 'a resource', path: 'a.py', text: resource('return books[x]') },
    { name: 'a protocol error with a code', path: 'a.ts', text: ts('throw new McpError(-32602, "not found");') },
  ],
  [
    {
      name: 'a text',
      path: 'a.py',
      text: resource('if x not in books:\n    «return f"Error: no book {x}"»\nreturn books[x]'),
      message: 'text',
      confidence: 'high',
    },
    {
      name: 'a text that only says that it is not there',
      path: 'a.py',
      text: resource('if x not in books:\n    «return f"Book {x} not found"»\nreturn books[x]'),
      message: 'text',
      confidence: 'medium',
    },
    {
      name: 'a plain error in MCPServer',
      path: 'a.py',
      text: v2('if x not in books:\n    «raise ValueError(f"Book {x} not found")»\nreturn books[x]'),
      message: 'plain',
      confidence: 'high',
    },
    {
      name: 'a plain error in McpServer',
      path: 'a.ts',
      text: ts('if (!found) «throw new Error("Resource not found");»'),
      message: 'plain',
      confidence: 'high',
    },
  ],
);
