import { wrongSdkError } from '../../../../src/lint/rules/wrongSdkError.ts';
import { testRule, ts, v1, v2 } from './ruleTable.ts';

const lowV1 = (value: string) =>
  `from mcp.server import Server\nfrom mcp.types import CallToolResult\napp = Server("a")\n@app.call_tool()\nasync def call(name, arguments):\n    return ${value}\n`;

testRule(
  wrongSdkError,
  [
    { name: 'the first generation alone', path: 'a.py', text: v1('raise ToolError("no")') },
    {
      name: 'MCPError in the second, which FL003 is about',
      path: 'a.py',
      text: v2('raise MCPError(code=1, message="no")'),
    },
    { name: 'the flag by its own name', path: 'a.py', text: lowV1('CallToolResult(content=[], isError=True)') },
    { name: 'the flag in a result', path: 'a.ts', text: ts('return { isError: true, content: [] };') },
    {
      name: 'a text in fastmcp',
      path: 'a.ts',
      text: 'import { FastMCP } from "fastmcp";\nconst s = new FastMCP({});\ns.addTool({ name: "f", parameters: z.object({}), execute: async () => "ok" });\n',
    },
    {
      name: "the SDK's error under an old name",
      path: 'a.py',
      text: 'from fastmcp import FastMCP\nfrom fastmcp.exceptions import ToolError as MCPError\nmcp = FastMCP("a")\n\n@mcp.tool\ndef f(x: str):\n    raise MCPError("no book")\n',
    },
    {
      name: "an error class of the server's own",
      path: 'a.ts',
      text: `import { McpError } from "./errors.js";\n${ts('throw new McpError("no");')}`,
    },
    { name: 'data that speaks of errors', path: 'a.py', text: v1('return {"isError": False, "items": []}') },
  ],
  [
    {
      name: 'FastMCP beside MCPServer',
      path: 'a.py',
      text: `«from mcp.server.fastmcp.exceptions import ToolError»\n${v2('raise ToolError("no")')}`,
      message: 'import',
      confidence: 'high',
    },
    {
      name: 'McpError beside MCPServer',
      path: 'a.py',
      text: `«from mcp.shared.exceptions import McpError»\n${v2('return x')}`,
      message: 'import',
      confidence: 'high',
    },
    {
      name: 'McpError from the packages of v2',
      path: 'a.ts',
      text: '«import { McpError, McpServer } from "@modelcontextprotocol/server";»\nconst server = new McpServer({});\nserver.registerTool("f", { description: "f" }, () => ok());\n',
      message: 'import',
      confidence: 'high',
    },
    {
      name: 'the ToolError of another SDK',
      path: 'a.py',
      text: `«from fastmcp.exceptions import ToolError»\n${v1('raise ToolError("no")')}`,
      message: 'foreign',
      confidence: 'high',
    },
    {
      name: 'a protocol error that does not become one',
      path: 'a.ts',
      text: ts('if (!x) {\n  «throw new McpError(ErrorCode.InvalidParams, "no");»\n}\nreturn ok();'),
      message: 'protocol',
      confidence: 'medium',
    },
    {
      name: 'protocol errors that do not become any, once for all',
      path: 'a.ts',
      text: ts('if (!x) {\n  «throw new McpError(ErrorCode.InvalidParams, "no");»\n}\nthrow new McpError(1, "never");'),
      message: 'protocol',
      confidence: 'medium',
    },
    {
      name: 'a bare text',
      path: 'a.ts',
      text: ts('«return "ok";»'),
      message: 'bareText',
      confidence: 'high',
      fixed: ts('return { content: [{ type: \'text\', text: "ok" }] };'),
    },
    {
      name: 'a bare text of an arrow',
      path: 'a.ts',
      text: 'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\nconst server = new McpServer({});\nserver.tool("f", {}, async () => «"ok"»);\n',
      message: 'bareText',
      confidence: 'high',
      fixed:
        'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\nconst server = new McpServer({});\nserver.tool("f", {}, async () => ({ content: [{ type: \'text\', text: "ok" }] }));\n',
    },
    {
      name: "Python's name of the flag",
      path: 'a.ts',
      text: ts('return { «is_error: true», content: [{ type: "text", text: "Error: no" }] };'),
      message: 'flagName',
      confidence: 'high',
      fixed: ts('return { isError: true, content: [{ type: "text", text: "Error: no" }] };'),
      isSafe: true,
    },
    {
      name: "the second generation's name of the flag",
      path: 'a.py',
      text: lowV1('CallToolResult(content=[], «is_error=True»)'),
      message: 'flagName',
      confidence: 'high',
      fixed: lowV1('CallToolResult(content=[], isError=True)'),
      isSafe: true,
    },
    {
      name: 'the flag in a dict',
      path: 'a.py',
      text: v1('return {"content": [{"type": "text", "text": "no"}], «"isError": True»}'),
      message: 'flagInData',
      confidence: 'high',
    },
  ],
);
