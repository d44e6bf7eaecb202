import { afterAll, describe, expect, it } from 'vitest';
import { TEXTS } from '../../../src/protocol/texts.ts';
import { applyFix } from './applyFix.ts';
import { engine, findingsIn } from './lintText.ts';

afterAll(() => engine.dispose());

/** The text after the preferred fix of its first finding, and whether that fix is safe. */
async function fixed(path: string, text: string): Promise<{ text: string; isSafe: boolean }> {
  const fix = (await findingsIn(path, text))[0]?.fixes.find(({ isPreferred }) => isPreferred);
  expect(TEXTS[fix?.title ?? '']).toBeTypeOf('string');
  return fix === undefined ? { text: '', isSafe: false } : { text: applyFix(text, fix), isSafe: fix.isSafe };
}

const fastmcp = 'from fastmcp import FastMCP\nmcp = FastMCP("a")\n';
const fastmcpFixed = 'from fastmcp import FastMCP\nfrom fastmcp.exceptions import ToolError\nmcp = FastMCP("a")\n';
const lowLevel = 'from mcp.server import Server\nimport mcp.types as types\napp = Server("a")\n';

describe('fixes for Python', () => {
  it.each([
    [
      'raise from the caught error',
      `${fastmcp}@mcp.tool\ndef f(x):\n    try:\n        return go(x)\n    except OSError as exc:\n        return f"Error: {exc}"\n`,
      `${fastmcpFixed}@mcp.tool\ndef f(x):\n    try:\n        return go(x)\n    except OSError as exc:\n        raise ToolError(f"Error: {exc}") from exc\n`,
      true,
    ],
    [
      'let the new error through a broad except',
      `${fastmcp}@mcp.tool\ndef f(x):\n    try:\n        if not x:\n            return {"error": "x is required"}\n        return go(x)\n    except Exception:\n        raise\n`,
      `${fastmcpFixed}@mcp.tool\ndef f(x):\n    try:\n        if not x:\n            raise ToolError("x is required")\n        return go(x)\n    except ToolError:\n        raise\n    except Exception:\n        raise\n`,
      false,
    ],
    [
      'use the import that is there',
      `from fastmcp import FastMCP\nfrom fastmcp.exceptions import ToolError as TE\nmcp = FastMCP("a")\n@mcp.tool\ndef f(x):\n    return "Error: no"\n`,
      `from fastmcp import FastMCP\nfrom fastmcp.exceptions import ToolError as TE\nmcp = FastMCP("a")\n@mcp.tool\ndef f(x):\n    raise TE("Error: no")\n`,
      true,
    ],
    [
      'return an error result in a low-level handler',
      `${lowLevel}@app.call_tool()\nasync def call(name, arguments):\n    return [types.TextContent(type="text", text="Error: no")]\n`,
      `${lowLevel}@app.call_tool()\nasync def call(name, arguments):\n    return types.CallToolResult(content=[types.TextContent(type="text", text="Error: no")], isError=True)\n`,
      true,
    ],
  ])('%s', async (_, text, expected, isSafe) => {
    expect(await fixed('server.py', text)).toEqual({ text: expected, isSafe });
  });

  it('never raise in a low-level v2 handler, where it becomes a protocol error', async () => {
    const text = `from mcp.server.lowlevel import Server\nimport mcp.types as t\nasync def call(ctx, params):\n    return t.CallToolResult(content=[t.TextContent(text="Error: no")])\ns = Server("a", on_call_tool=call)\n`;
    const [finding] = await findingsIn('server.py', text);
    expect(finding?.fixes.map(({ title }) => title)).toEqual(['lint.fix.returnErrorResult']);
  });
});

const sdk = 'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\nconst server = new McpServer({});\n';
const punkpeye = (names: string) => `import { ${names} } from "fastmcp";\nconst server = new FastMCP({});\n`;

describe('fixes for TypeScript', () => {
  it.each([
    [
      'insert the flag on a line of its own',
      `${sdk}server.tool("a", {}, async () => {\n  return {\n    content: [{ type: "text", text: "Error: no" }],\n  };\n});\n`,
      `${sdk}server.tool("a", {}, async () => {\n  return {\n    isError: true,\n    content: [{ type: "text", text: "Error: no" }],\n  };\n});\n`,
      true,
    ],
    [
      'insert the flag with Windows line breaks',
      `${sdk}server.tool("a", {}, async () => {\r\n  return {\r\n    content: [{ type: "text", text: "Error: no" }],\r\n  };\r\n});\r\n`.replace(
        /\r?\n/g,
        '\r\n',
      ),
      `${sdk}server.tool("a", {}, async () => {\n  return {\n    isError: true,\n    content: [{ type: "text", text: "Error: no" }],\n  };\n});\n`.replace(
        /\n/g,
        '\r\n',
      ),
      true,
    ],
    [
      'turn a false flag',
      `${sdk}server.tool("a", {}, async () => ({ content: [{ type: "text", text: "Error: no" }], isError: false }));\n`,
      `${sdk}server.tool("a", {}, async () => ({ content: [{ type: "text", text: "Error: no" }], isError: true }));\n`,
      true,
    ],
    [
      'flag one side of a choice',
      `${sdk}server.tool("a", {}, async () => (ok ? { content: [] } : { content: [{ type: "text", text: "Error: no" }] }));\n`,
      `${sdk}server.tool("a", {}, async () => (ok ? { content: [] } : { isError: true, content: [{ type: "text", text: "Error: no" }] }));\n`,
      true,
    ],
    [
      'throw a UserError past a catch',
      `${punkpeye('FastMCP')}server.addTool({ name: "a", execute: async () => {\n  try {\n    if (!x) return "Error: no";\n    return go();\n  } catch (e) {\n    throw e;\n  }\n} });\n`,
      `${punkpeye('FastMCP, UserError')}server.addTool({ name: "a", execute: async () => {\n  try {\n    if (!x) throw new UserError("Error: no");\n    return go();\n  } catch (e) {\n    if (e instanceof UserError) throw e;\n    throw e;\n  }\n} });\n`,
      false,
    ],
  ])('%s', async (_, text, expected, isSafe) => {
    expect(await fixed('server.ts', text)).toEqual({ text: expected, isSafe });
  });

  it('never throw in a low-level handler, where it becomes a protocol error', async () => {
    const text = `import { Server } from "@modelcontextprotocol/sdk/server/index.js";\nconst s = new Server({}, {});\ns.setRequestHandler(CallToolRequestSchema, async () => {\n  return { content: [{ type: "text", text: "Error: no" }] };\n});\n`;
    const [finding] = await findingsIn('server.ts', text);
    expect(finding?.fixes.map(({ title }) => title)).toEqual(['lint.fix.setErrorFlag']);
  });
});

describe('fixes for Go', () => {
  const typed = (value: string, error: string) =>
    `package main\n\nimport "github.com/modelcontextprotocol/go-sdk/mcp"\n\nfunc f(ctx context.Context, r *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {\n\tout, err := lend(in)\n\tif err != nil {\n\t\treturn nil, ${value}, ${error}\n\t}\n\treturn nil, out, nil\n}\n`;

  it.each([
    ['map[string]any{"error": err.Error(), "found": []string{}}'],
    ['Out{Error: "a, b: " + err.Error(), At: at(1, \',\')}'],
  ])('give back the error beside %s', async (value) => {
    expect(await fixed('server.go', typed(value, 'nil'))).toEqual({ text: typed(value, 'err'), isSafe: false });
  });
});
