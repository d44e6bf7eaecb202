import { afterAll, describe, expect, it } from 'vitest';
import { engine, findingsIn, markedLines } from '../lintText.ts';

afterAll(() => engine.dispose());

/** Where a rule found something; lines are 1-based. */
async function linesOf(path: string, text: string, rule: string): Promise<number[]> {
  return (await findingsIn(path, text, {}, rule)).map(({ range }) => range.startLine + 1);
}

const go = (body: string) =>
  `package main\n\nimport "github.com/mark3labs/mcp-go/mcp"\n\nfunc main() {\n\tserver.ServeStdio(s)\n}\n\nfunc open(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {\n${body}\n\treturn mcp.NewToolResultText("x"), nil\n}\n`;
const csharp = (body: string) =>
  `using ModelContextProtocol.Server;\nbuilder.Services.AddMcpServer().WithStdioServerTransport();\n[McpServerToolType]\npublic class T {\n  [McpServerTool]\n  public string Open() {\n${body}\n    return "x";\n  }\n}\n`;
const java = (body: string) =>
  `import org.springframework.ai.tool.annotation.Tool;\nclass T {\n  void main() { var t = new StdioServerTransportProvider(); }\n  @Tool\n  String open() {\n${body}\n    return "x";\n  }\n}\n`;
const kotlin = (body: string) =>
  `import io.modelcontextprotocol.kotlin.sdk.server.*\nsuspend fun main() {\n  server.addTool("open", "opens") { request ->\n${body}\n    CallToolResult(listOf(TextContent("x")))\n  }\n  server.connect(StdioServerTransport(input, output))\n}\n`;
const rust = (body: string) =>
  `use rmcp::tool;\nasync fn main() { s.serve(stdio()).await; }\nimpl T {\n  #[tool]\n  fn open(&self) -> String {\n${body}\n    "x".to_string()\n  }\n}\n`;
const php = (body: string) =>
  `<?php\nuse Mcp\\Capability\\Attribute\\McpTool;\n$t = new StdioTransport();\nclass T {\n  #[McpTool]\n  public function open(): string {\n${body}\n    return 'x';\n  }\n}\n`;
const ruby = (body: string) =>
  `transport = MCP::Server::Transports::StdioTransport.new(server)\nclass T < MCP::Tool\n  def self.call\n${body}\n    MCP::Tool::Response.new([])\n  end\nend\n`;

describe('FL008 on what each language prints', () => {
  it.each([
    [
      'a.go',
      go('\tfmt.Println("x") // <- here\n\tfmt.Fprintln(os.Stderr, "x")\n\tfmt.Fprintf(os.Stdout, "x") // <- here'),
    ],
    ['a.cs', csharp('    Console.WriteLine("x"); // <- here\n    Console.Error.WriteLine("x");')],
    ['a.java', java('    System.out.println("x"); // <- here\n    System.err.println("x");')],
    ['a.kt', kotlin('    println("x") // <- here\n    System.err.println("x")\n    System.out.print("x") // <- here')],
    ['a.rs', rust('    println!("x"); // <- here\n    eprintln!("x");')],
    ['a.php', php('    echo "x"; // <- here\n    error_log("x");')],
    ['a.rb', ruby('    puts "x" # <- here\n    $stdout.puts "x" # <- here\n    warn "x"\n    $stderr.puts "x"')],
  ])('%s', async (path, text) => {
    expect(await linesOf(path, text, 'FL008')).toEqual(markedLines(text));
  });

  it('leaves a server over HTTP alone', async () => {
    const text = go('\tfmt.Println("x")').replace('ServeStdio(s)', 'NewStreamableHTTPServer(s)');
    expect(await linesOf('a.go', text, 'FL008')).toEqual([]);
  });
});

describe('FL014 on what ends the process', () => {
  it.each([
    ['a.go', go('\tif bad {\n\t\tlog.Fatal("x") // <- here\n\t}\n\tif worse {\n\t\tos.Exit(1) // <- here\n\t}')],
    ['a.cs', csharp('    if (bad) Environment.Exit(1); // <- here')],
    ['a.java', java('    if (bad) System.exit(1); // <- here')],
    ['a.kt', kotlin('    if (bad) exitProcess(1) // <- here')],
    ['a.rs', rust('    if bad {\n      std::process::exit(1); // <- here\n    }')],
    ['a.php', php('    if ($bad) {\n      exit(1); // <- here\n    }')],
    ['a.rb', ruby('    exit 1 if bad # <- here')],
  ])('%s', async (path, text) => {
    expect(await linesOf(path, text, 'FL014')).toEqual(markedLines(text));
  });
});
