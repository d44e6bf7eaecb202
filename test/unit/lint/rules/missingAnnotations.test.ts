import { missingAnnotations } from '../../../../src/lint/rules/missingAnnotations.ts';
import { lowTs, testRule, v1 } from './ruleTable.ts';

const goTool = (declared: string) =>
  `package main\n\nimport (\n\t"github.com/mark3labs/mcp-go/mcp"\n\t"github.com/mark3labs/mcp-go/server"\n)\n\nfunc run(s *server.MCPServer) {\n\ts.AddTool(${declared}, handle)\n}\n\nfunc handle(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {\n\treturn mcp.NewToolResultText("a"), nil\n}\n`;
const csharp = (attribute: string) =>
  `using ModelContextProtocol.Server;\npublic class A {\n    [${attribute}]\n    public static string Get(string a) => a;\n}\n`;
const java = (imported: string, annotation: string) =>
  `import ${imported};\npublic class A {\n    @${annotation}\n    public String get(String a) { return a; }\n}\n`;
const javaSdk = (tool: string) =>
  `import io.modelcontextprotocol.spec.McpSchema.Tool;\npublic class A {\n    Object make(Server server) {\n        return new SyncToolSpecification(Tool.builder()${tool}.build(), (exchange, args) -> new CallToolResult("a", false));\n    }\n}\n`;
const kotlin = (given: string) =>
  `import io.modelcontextprotocol.kotlin.sdk.server.Server\nfun register(server: Server) {\n    server.addTool(${given}) { request -> CallToolResult(listOf(TextContent("a"))) }\n}\n`;
const rust = (attribute: string) =>
  `use rmcp::tool;\nimpl A {\n    #[${attribute}]\n    fn get(&self) -> String {\n        "a".to_string()\n    }\n}\n`;
const php = (attribute: string) =>
  `<?php\nuse PhpMcp\\Server\\Attributes\\McpTool;\nclass A {\n    #[${attribute}]\n    public function get(string $a): string { return $a; }\n}\n`;
const laravel = (head: string, base = 'Laravel\\Mcp\\Server\\Tool') =>
  `<?php\nuse ${base};\nuse Laravel\\Mcp\\Response;\n${head}\n{\n    public function handle(Request $request): Response { return Response::text("a"); }\n}\n`;
const ruby = (head: string, inside = '') =>
  `require "mcp"\nclass ${head}\n  description "a"\n${inside}  def self.call(a:)\n    MCP::Tool::Response.new([{ type: "text", text: a }])\n  end\nend\n`;

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
    ...[
      'mcp.NewTool("f", mcp.WithReadOnlyHintAnnotation(true))',
      'mcp.NewTool("f", mcp.WithToolAnnotation(hints))',
      'mcp.NewTool("f", options...)',
      'mcp.NewTool("f", common())',
      '&mcp.Tool{Name: "f", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}',
      'tool()',
    ].map((declared) => ({ name: `${declared} in Go`, path: 'a.go', text: goTool(declared) })),
    ...['McpServerTool(Name = "f", ReadOnly = true)', 'McpServerPrompt', 'McpToolTrigger("f", "does f")'].map(
      (attribute) => ({ name: `${attribute} in C#`, path: 'a.cs', text: csharp(attribute) }),
    ),
    {
      name: "Spring's own annotation",
      path: 'A.java',
      text: java('org.springframework.ai.tool.annotation.Tool', 'Tool(description = "does f")'),
    },
    {
      name: 'an annotation of Quarkus',
      path: 'A.java',
      text: java('io.quarkiverse.mcp.server.Tool', 'Tool(annotations = @Annotations(readOnlyHint = true))'),
    },
    { name: 'a builder of the SDK for Java', path: 'A.java', text: javaSdk('.name("f").annotations(hints)') },
    {
      name: 'annotations in Kotlin',
      path: 'a.kt',
      text: kotlin('name = "f", description = "does f", toolAnnotations = ToolAnnotations(readOnlyHint = true)'),
    },
    { name: 'a tool that is made elsewhere in Kotlin', path: 'a.kt', text: kotlin('tools.f') },
    {
      name: 'annotations of rmcp',
      path: 'a.rs',
      text: rust('tool(description = "does f", annotations(read_only_hint = true))'),
    },
    { name: 'a prompt of rmcp', path: 'a.rs', text: rust('prompt(description = "does f")') },
    {
      name: 'annotations in PHP',
      path: 'a.php',
      text: php("McpTool(name: 'f', annotations: new ToolAnnotations(readOnlyHint: true))"),
    },
    { name: 'an attribute of Laravel', path: 'a.php', text: laravel('#[IsReadOnly]\nclass A extends Tool') },
    {
      name: "a base class of Laravel's project",
      path: 'a.php',
      text: laravel('class A extends BaseTool', 'App\\Mcp\\BaseTool'),
    },
    {
      name: 'annotations of a class in Ruby',
      path: 'a.rb',
      text: ruby('A < MCP::Tool', '  annotations(read_only_hint: true)\n'),
    },
    { name: "a base class of the project's own in Ruby", path: 'a.rb', text: ruby('A < BaseTool') },
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
    ...[
      { name: 'a tool of mcp-go', path: 'a.go', text: goTool('mcp.NewTool(«"f"», mcp.WithDescription("does f"))') },
      { name: 'a tool of the official SDK for Go', path: 'a.go', text: goTool('&mcp.Tool{Name: «"f"»}') },
      { name: 'an attribute in C#', path: 'a.cs', text: csharp('«McpServerTool»') },
      { name: 'an attribute with a name in C#', path: 'a.cs', text: csharp('«McpServerTool(Name = "f")»') },
      {
        name: 'an annotation in Java',
        path: 'A.java',
        text: java('org.springaicommunity.mcp.annotation.McpTool', 'McpTool(name = "f")').replace(
          '@McpTool(name = "f")',
          '«@McpTool(name = "f")»',
        ),
      },
      { name: 'a builder in Java', path: 'A.java', text: javaSdk('.name(«"f"»).description("does f")') },
      { name: 'a call in Kotlin', path: 'a.kt', text: kotlin('name = «"f"», description = "does f"') },
      { name: 'a tool in a variable in Kotlin', path: 'a.kt', text: kotlin('Tool(«"f"», inputSchema)') },
      { name: 'an attribute in Rust', path: 'a.rs', text: rust('«tool(description = "does f")»') },
      { name: 'an attribute in PHP', path: 'a.php', text: php("«McpTool(name: 'f')»") },
      { name: 'a tool of Laravel', path: 'a.php', text: laravel('class «A» extends Tool') },
      { name: 'a class in Ruby', path: 'a.rb', text: ruby('«A» < MCP::Tool') },
    ].map((it) => ({ ...it, message: 'missing', confidence: 'high' as const })),
    {
      name: 'a tool of fastmcp',
      path: 'a.ts',
      text: 'import { FastMCP } from "fastmcp";\nconst server = new FastMCP({});\nserver.addTool({ name: «"f"», parameters: z.object({}), execute: async () => "ok" });\n',
      message: 'missing',
      confidence: 'high',
    },
  ],
);
