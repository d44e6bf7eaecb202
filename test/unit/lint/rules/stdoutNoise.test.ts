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

/** A stdio server in each other language, whose tool runs `body`. */
const others: Readonly<Record<string, (body: string) => string>> = {
  'a.go': (body) =>
    `package main\n\nimport (\n\t"fmt"\n\t"os"\n\n\t"github.com/mark3labs/mcp-go/mcp"\n\t"github.com/mark3labs/mcp-go/server"\n)\n\nfunc main() {\n\ts := server.NewMCPServer("a", "1")\n\ts.AddTool(mcp.NewTool("f"), f)\n\tserver.ServeStdio(s)\n}\n\nfunc f(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {\n\t${body}\n\treturn mcp.NewToolResultText("a"), nil\n}\n`,
  'a.cs': (body) =>
    `using ModelContextProtocol.Server;\nbuilder.Services.AddMcpServer().WithStdioServerTransport();\n\n[McpServerToolType]\npublic static class A {\n    [McpServerTool]\n    public static string Get(string a) {\n        ${body}\n        return a;\n    }\n}\n`,
  'A.java': (body) =>
    `import org.springaicommunity.mcp.annotation.McpTool;\npublic class A {\n    static void main() { new StdioServerTransportProvider(); }\n    @McpTool\n    public String get(String a) {\n        ${body}\n        return a;\n    }\n}\n`,
  'a.kt': (body) =>
    `import io.modelcontextprotocol.kotlin.sdk.server.*\nfun main() {\n    server.addTool("f", "does f") { request ->\n        ${body}\n        CallToolResult(listOf(TextContent("a")))\n    }\n    server.connect(StdioServerTransport(a, b))\n}\n`,
  'a.rs': (body) =>
    `use rmcp::{tool, transport::stdio};\nimpl A {\n    #[tool(description = "a")]\n    fn get(&self) -> String {\n        ${body}\n        "a".to_string()\n    }\n}\nasync fn main() {\n    A::new().serve(stdio()).await;\n}\n`,
  'a.php': (body) =>
    `<?php\nuse PhpMcp\\Server\\Attributes\\McpTool;\nclass A {\n    #[McpTool]\n    public function get(string $a): string {\n        ${body}\n        return $a;\n    }\n}\n$server->listen(new StdioServerTransport());\n`,
  'a.rb': (body) =>
    `require "mcp"\nclass A < MCP::Tool\n  def self.call(a:)\n    ${body}\n    MCP::Tool::Response.new([{ type: "text", text: a }])\n  end\nend\nMCP::Server::Transports::StdioTransport.new(server).open\n`,
};

const inOther = ([path = '', written = '', fixed]: readonly (string | undefined)[]) => {
  const made = others[path] ?? String;
  return {
    name: `${written} in ${path}`,
    path,
    text: made(written.replace(/^([^;]*)/, '«$1»')),
    message: 'handler',
    confidence: 'high' as const,
    ...(fixed === undefined ? {} : { fixed: made(fixed), isSafe: true }),
  };
};

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
    ...[
      ['a.go', 'fmt.Println("a")', 'fmt.Fprintln(os.Stderr, "a")'],
      ['a.go', 'fmt.Println()', 'fmt.Fprintln(os.Stderr)'],
      ['a.go', 'os.Stdout.WriteString("a")', 'os.Stderr.WriteString("a")'],
      ['a.cs', 'Console.WriteLine("a");', 'Console.Error.WriteLine("a");'],
      ['a.cs', 'System.Console.Out.Write("a");', 'System.Console.Error.Write("a");'],
      ['A.java', 'System.out.println("a");', 'System.err.println("a");'],
      ['a.kt', 'println("a")', 'System.err.println("a")'],
      ['a.kt', 'System.out.println("a")', 'System.err.println("a")'],
      ['a.rs', 'println!("a");', 'eprintln!("a");'],
      ['a.php', 'print_r($a);', undefined],
      ['a.rb', 'puts "a"', '$stderr.puts "a"'],
      ['a.rb', '$stdout.puts "a"', '$stderr.puts "a"'],
      ['a.rb', 'p a', undefined],
    ].map(inOther),
  ],
);
