import type { LanguageId } from './languages/frontEnd.ts';

/**
 * Text marks of a file that may hold MCP handlers. A server often comes as a parameter or from another file, so an SDK's
 * name is not needed; but a file without any of these marks is never parsed.
 */
const PYTHON =
  /\b(?:mcp|fastmcp|FastMCP|MCPServer|TextContent|CallToolResult|ToolResult|call_tool|add_tool)\b|@[\w.]+\.tool\b|\.tool\(/;
const TYPESCRIPT =
  /modelcontextprotocol|\b(?:fastmcp|FastMCP|McpServer|MCPTool|mcp-framework|xmcp|tmcp|registerTool|addTool|CallToolRequestSchema|CallToolResult)\b|tools\/call|\.tool\s*[(<]|register\w+Tool\(|\bcontent:\s*\[\s*\{\s*type:/;
/** A module that only holds tools, for another file to register. */
const TYPESCRIPT_TOOL = /\binputSchema\b/;
/** Kits that call tools themselves spell schemas the same way, and speak no MCP. */
const OTHER_KIT = /\b(?:from\s+|require\()['"](?:ai|@ai-sdk\/[^'"]*|@?langchain[^'"]*|@openai\/agents[^'"]*)['"]/;

const GO = /mark3labs\/mcp-go|modelcontextprotocol\/go-sdk|\bCallToolRe(?:quest|sult)\b|\bNewTool(?:Result\w+)?\(/;
const CSHARP = /\bModelContextProtocol\b|\bMcp(?:ServerTool|ToolTrigger)\b|\bCallToolRe(?:sult|sponse)\b/;
const JAVA =
  /modelcontextprotocol|springframework\.ai\.(?:tool|mcp)|quarkiverse\.mcp|springaicommunity\.mcp|\bCallToolResult\b|@McpTool\b/;
const KOTLIN =
  /modelcontextprotocol|springframework\.ai\.(?:tool|mcp)|quarkiverse\.mcp|springaicommunity\.mcp|intellij\.mcpserver|\bCallToolResult\b|@McpTool\b/;
const RUST = /\brmcp\b|\bCallToolResult\b|#\[(?:\w+::)?tool\b|\bmcp_\w+::/;
const PHP = /\b(?:McpTool|PhpMcp|CallToolResult)\b|\bMcp\\|Laravel\\Mcp/;
const RUBY = /\bMCP::|\bFastMcp\b|\bActionTool\b|\bModelContextProtocol\b|\bApplicationTool\b|\bfast_mcp\b/;
const MARKS: Readonly<Record<LanguageId, RegExp>> = {
  python: PYTHON,
  typescript: TYPESCRIPT,
  typescriptreact: TYPESCRIPT,
  javascript: TYPESCRIPT,
  javascriptreact: TYPESCRIPT,
  ruby: RUBY,
  php: PHP,
  rust: RUST,
  java: JAVA,
  kotlin: KOTLIN,
  csharp: CSHARP,
  go: GO,
};

/** Whether a file of this language is worth parsing. Linear in the text. */
export function mayHoldHandlers(text: string, language: LanguageId): boolean {
  return MARKS[language].test(text) || (MARKS[language] === TYPESCRIPT && holdsTools(text));
}

const holdsTools = (text: string) => TYPESCRIPT_TOOL.test(text) && !OTHER_KIT.test(text);

/** A NUL in the first 8 KiB, as in git: not text. */
export function isBinary(text: string): boolean {
  const at = text.indexOf('\0');
  return at >= 0 && at < 8192;
}
