import { missingAnnotations } from '../../../../src/lint/rules/missingAnnotations.ts';
import { lowTs, testRule, v1 } from './ruleTable.ts';

const ts = (registration: string) =>
  `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\nconst server = new McpServer({});\n${registration}\n`;

testRule(
  missingAnnotations,
  [
    {
      name: 'annotations',
      path: 'a.py',
      text: v1('return x', '@mcp.tool(annotations={"readOnlyHint": True})\ndef f(x):'),
    },
    { name: 'options from elsewhere', path: 'a.py', text: v1('return x', '@mcp.tool(**options)\ndef f(x):') },
    { name: 'a resource', path: 'a.py', text: v1('return x', '@mcp.resource("a://{x}")\ndef f(x):') },
    { name: 'a low-level handler', path: 'a.ts', text: lowTs('return ok();') },
    {
      name: 'annotations of registerTool',
      path: 'a.ts',
      text: ts(
        'server.registerTool("f", { description: "f", annotations: { readOnlyHint: true } }, run);\nfunction run() {}',
      ),
    },
    {
      name: 'annotations of tool',
      path: 'a.ts',
      text: ts('server.tool("f", "does f", { x: z.string() }, { readOnlyHint: true }, () => ok());'),
    },
    { name: 'a configuration from elsewhere', path: 'a.ts', text: ts('server.registerTool("f", config, () => ok());') },
  ],
  [
    {
      name: 'a decorator',
      path: 'a.py',
      text: v1('return x', '@«mcp.tool()»\ndef f(x):'),
      message: 'missing',
      confidence: 'high',
    },
    {
      name: 'a decorator without a call',
      path: 'a.py',
      text: v1('return x', '@«mcp.tool»\ndef f(x):'),
      message: 'missing',
      confidence: 'high',
    },
    {
      name: 'a name and a handler',
      path: 'a.ts',
      text: ts('server.tool(«"f"», () => ok());'),
      message: 'missing',
      confidence: 'high',
    },
    {
      name: 'a description and a shape',
      path: 'a.ts',
      text: ts('server.tool(«"f"», "does f", { x: z.string() }, () => ok());'),
      message: 'missing',
      confidence: 'high',
    },
    {
      name: 'a configuration',
      path: 'a.ts',
      text: ts('server.registerTool(«"f"», { description: "f", inputSchema: {} }, () => ok());'),
      message: 'missing',
      confidence: 'high',
    },
    {
      name: 'a tool of fastmcp',
      path: 'a.ts',
      text: 'import { FastMCP } from "fastmcp";\nconst server = new FastMCP({});\nserver.addTool({ name: «"f"», parameters: z.object({}), execute: async () => "ok" });\n',
      message: 'missing',
      confidence: 'high',
    },
  ],
);
