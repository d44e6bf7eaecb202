import { stdoutNoise } from '../../../../src/lint/rules/stdoutNoise.ts';
import { testRule } from './ruleTable.ts';

const head = 'from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("a")\n\n';
const py = (body: string, run = 'mcp.run()') =>
  `${head}@mcp.tool()\ndef f(x: str):\n    ${body}\n    return x\n\n${run}\n`;
const withSys = (text: string) => text.replace('import FastMCP\n', 'import FastMCP\nimport sys\n');

const tsHead =
  'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\nimport { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";\nconst server = new McpServer({});\n';
const ts = (body: string, run = 'await server.connect(new StdioServerTransport());') =>
  `${tsHead}server.tool("f", {}, async () => {\n  ${body}\n  return ok();\n});\n${run}\n`;

testRule(
  stdoutNoise,
  [
    { name: 'standard error', path: 'a.py', text: py('print(x, file=sys.stderr)') },
    { name: 'a server over HTTP', path: 'a.py', text: py('print(x)', 'mcp.run(transport="streamable-http")') },
    { name: 'output that is caught', path: 'a.py', text: py('with redirect_stdout(buffer):\n        print(x)') },
    {
      name: 'output that goes elsewhere',
      path: 'a.py',
      text: `import sys\nsys.stdout = sys.stderr\n${py('print(x)')}`,
    },
    {
      name: 'a function that no tool calls',
      path: 'a.py',
      text: py('pass', 'mcp.run()\n\ndef demo():\n    print("hello")'),
    },
    {
      name: 'help, after which the process ends',
      path: 'a.py',
      text: py('pass', 'if "--help" in sys.argv:\n    print("usage")\n    sys.exit(0)\nmcp.run()'),
    },
    {
      name: 'a good-bye',
      path: 'a.py',
      text: py('pass', 'try:\n    mcp.run()\nexcept KeyboardInterrupt:\n    print("bye")'),
    },
    {
      name: 'what a server over HTTP says beside one over stdio',
      path: 'a.py',
      text: py('pass', 'if web:\n    print("Serving")\n    mcp.run(transport="sse")\nelse:\n    mcp.run()'),
    },
    { name: 'console.error', path: 'a.ts', text: ts('console.error("x");') },
    {
      name: 'a callback of an HTTP server',
      path: 'a.ts',
      text: ts('', 'server.connect(new StdioServerTransport());\napp.listen(80, () => console.log("up"));'),
    },
    {
      name: 'a console that is turned around',
      path: 'a.ts',
      text: ts('console.log("x");', 'console.log = console.error;\nserver.connect(new StdioServerTransport());'),
    },
    {
      name: 'a server that writes its own messages',
      path: 'a.ts',
      text: ts('process.stdout.write(JSON.stringify(reply));'),
    },
  ],
  [
    {
      name: 'print in a tool',
      path: 'a.py',
      text: py('«print(f"called with {x}")»'),
      message: 'handler',
      confidence: 'high',
      fixed: withSys(py('print(f"called with {x}", file=sys.stderr)')),
      isSafe: true,
    },
    {
      name: 'print in what a tool calls, over several lines',
      path: 'a.py',
      text: `import sys\n${py('show(x)')}\ndef show(x):\n    «print(\n        x,\n    )»\n`,
      message: 'handler',
      confidence: 'high',
      fixed: `import sys\n${py('show(x)')}\ndef show(x):\n    print(\n        x, file=sys.stderr\n    )\n`,
      isSafe: true,
    },
    {
      name: 'an empty print',
      path: 'a.py',
      text: withSys(py('«print()»')),
      message: 'handler',
      confidence: 'high',
      fixed: withSys(py('print(file=sys.stderr)')),
      isSafe: true,
    },
    {
      name: 'a banner before the start',
      path: 'a.py',
      text: withSys(py('pass', 'if __name__ == "__main__":\n    «print("starting")»\n    mcp.run()')),
      message: 'start',
      confidence: 'medium',
      fixed: withSys(py('pass', 'if __name__ == "__main__":\n    print("starting", file=sys.stderr)\n    mcp.run()')),
      isSafe: true,
    },
    {
      name: 'a server over one or the other',
      path: 'a.py',
      text: withSys(py('«print(x)»', 'mcp.run(transport=chosen)')),
      message: 'handler',
      confidence: 'medium',
      fixed: withSys(py('print(x, file=sys.stderr)', 'mcp.run(transport=chosen)')),
      isSafe: false,
    },
    {
      name: 'a file that starts no server',
      path: 'a.py',
      text: withSys(py('«print(x)»', '')),
      message: 'handler',
      confidence: 'low',
      fixed: withSys(py('print(x, file=sys.stderr)', '')),
    },
    {
      name: 'a log to standard output',
      path: 'a.py',
      text: withSys(py('pass', '«logging.basicConfig(stream=sys.stdout)»\nmcp.run()')),
      message: 'start',
      confidence: 'medium',
      fixed: withSys(py('pass', 'logging.basicConfig(stream=sys.stderr)\nmcp.run()')),
      isSafe: true,
    },
    {
      name: 'console.log in a tool',
      path: 'a.ts',
      text: ts('«console.log("called", x)»;'),
      message: 'handler',
      confidence: 'high',
      fixed: ts('console.error("called", x);'),
      isSafe: true,
    },
    {
      name: 'a table, which has no other place',
      path: 'a.ts',
      text: ts('«console.table(x)»;'),
      message: 'handler',
      confidence: 'high',
    },
    {
      name: 'a line at the start',
      path: 'a.ts',
      text: ts('', 'await server.connect(new StdioServerTransport());\n«console.log("running")»;'),
      message: 'start',
      confidence: 'medium',
      fixed: ts('', 'await server.connect(new StdioServerTransport());\nconsole.error("running");'),
      isSafe: true,
    },
  ],
);
