import { protocolError } from '../../../../src/lint/rules/protocolError.ts';
import { go, lowTs, lowV2, testRule, ts, v1, v2 } from './ruleTable.ts';

const officialGo = (body: string) =>
  `package main\n\nimport (\n\t"fmt"\n\n\t"github.com/modelcontextprotocol/go-sdk/mcp"\n)\n\nfunc f(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {\n\t${body}\n}\n`;

const registeredGo = (body: string) =>
  `package main\n\nimport (\n\t"context"\n\t"fmt"\n\n\t"github.com/mark3labs/mcp-go/mcp"\n\t"github.com/mark3labs/mcp-go/server"\n)\n\nfunc main() {\n\ts := server.NewMCPServer("a", "1")\n\ts.AddTool(mcp.NewTool("f"), func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {\n\t\tif req.GetString("x", "") == "" {\n\t\t\t${body}\n\t\t}\n\t\treturn mcp.NewToolResultText("ok"), nil\n\t})\n}\n`;

const rust = (body: string) =>
  `use rmcp::{tool, model::*};\n\nimpl A {\n    #[tool(description = "a")]\n    fn get(&self, x: String) -> Result<CallToolResult, McpError> {\n        ${body}\n    }\n}\n`;

testRule(
  protocolError,
  [
    { name: 'an exception that MCPServer makes a result of', path: 'a.py', text: v2('raise ValueError("no book")') },
    { name: 'McpError where it becomes a result', path: 'a.ts', text: ts('throw new McpError(-32602, "no book");') },
    { name: 'McpError in FastMCP', path: 'a.py', text: v1('raise McpError(ErrorData(code=1, message="no"))') },
    {
      name: 'no tool by that name',
      path: 'a.ts',
      text: lowTs('throw new McpError(ErrorCode.MethodNotFound, "no " + request.params.name);'),
    },
    {
      name: 'no tool by that name, in words',
      path: 'a.ts',
      text: lowTs(
        'switch (request.params.name) {\n  default:\n    throw new Error("Unknown tool: " + request.params.name);\n}',
      ),
    },
    {
      name: "a comparison with the tool's name",
      path: 'a.ts',
      text: lowTs('if (request.params.name !== "lend") {\n  throw new Error("only lend");\n}\nreturn lend();'),
    },
    {
      name: 'a throw that the handler catches',
      path: 'a.ts',
      text: lowTs('try {\n  throw new Error("no book");\n} catch (e) {\n  return { isError: true, content: [] };\n}'),
    },
    {
      name: 'a capability that the client lacks',
      path: 'a.py',
      text: v2('raise MCPError(code=MISSING_REQUIRED_CLIENT_CAPABILITY, message="needs sampling")'),
    },
    {
      name: "an error class of the server's own",
      path: 'a.py',
      text: `from .errors import MCPError\n${v2('raise MCPError("no book")').replace('from mcp import MCPError\n', '')}`,
    },
    {
      name: 'a protocol error that is only let through',
      path: 'a.ts',
      text: lowTs(
        'try {\n  return await lend();\n} catch (e) {\n  if (e instanceof McpError) throw e;\n  return { isError: true, content: [] };\n}',
      ),
    },
    {
      name: 'a field that holds one thing or another',
      path: 'a.ts',
      text: `${lowTs('return shelf.answer(request);')}class Books {\n  find(id) {\n    throw new Error("id is required");\n  }\n}\nclass Shelf {\n  constructor(books) {\n    this.books = new Books();\n    if (books) {\n      this.books = books;\n    }\n  }\n  answer(request) {\n    return this.books.find(request.id);\n  }\n}\nconst shelf = new Shelf();\n`,
    },
    {
      name: 'an error of a helper, which its caller looks at',
      path: 'a.go',
      text: `${go(
        'shelf, err := shelfOf(request)\nif err != nil {\n\treturn mcp.NewToolResultError(err.Error()), nil\n}\nreturn mcp.NewToolResultText(shelf), nil',
      )}\nfunc shelfOf(request mcp.CallToolRequest) (string, error) {\n\tif request.Shelf == "" {\n\t\treturn "", errors.New("shelf is required")\n\t}\n\treturn request.Shelf, nil\n}\n`,
    },
  ],
  [
    {
      name: 'a throw behind a field',
      path: 'a.ts',
      text: `${lowTs('return shelf.answer(request);')}class Books {\n  find(id) {\n    «throw new Error("id is required");»\n  }\n}\nclass Shelf {\n  constructor() {\n    this.books = new Books();\n  }\n  answer(request) {\n    return this.books.find(request.id);\n  }\n}\nconst shelf = new Shelf();\n`,
      message: 'lowLevel',
      confidence: 'medium',
    },
    {
      name: 'an error that a handler of Go gives back',
      path: 'a.go',
      text: go(
        'if shelf == "" {\n\t«return nil, errors.New("shelf is required")»\n}\nreturn mcp.NewToolResultText(shelf), nil',
      ),
      message: 'lowLevel',
      confidence: 'high',
      fixed: go(
        'if shelf == "" {\n\treturn mcp.NewToolResultError(errors.New("shelf is required").Error()), nil\n}\nreturn mcp.NewToolResultText(shelf), nil',
      ),
    },
    {
      name: 'an error that a handler of Go gives back from elsewhere',
      path: 'a.go',
      text: `${go('return lend(request)')}\nfunc lend(request mcp.CallToolRequest) (*mcp.CallToolResult, error) {\n\t«return nil, errors.New("no book")»\n}\n`,
      message: 'lowLevel',
      confidence: 'high',
      fixed: `${go('return lend(request)')}\nfunc lend(request mcp.CallToolRequest) (*mcp.CallToolResult, error) {\n\treturn mcp.NewToolResultError(errors.New("no book").Error()), nil\n}\n`,
    },
    {
      name: 'an error in words, with another of the package',
      path: 'a.go',
      text: go('if request.Ok {\n\t«return nil, errors.New("no book")»\n}\n«return nil, errors.New("no shelf")»'),
      message: 'lowLevel',
      confidence: 'high',
      fixed: go(
        'if request.Ok {\n\treturn mcp.NewToolResultError("no book"), nil\n}\nreturn nil, errors.New("no shelf")',
      ),
    },
    {
      name: 'an error around another',
      path: 'a.go',
      text: go(
        '_, err := lend(request)\nif err != nil {\n\t«return nil, fmt.Errorf("lending %s: %w", request.Isbn, err)»\n}\nreturn ok, nil',
      ),
      message: 'lowLevel',
      confidence: 'high',
      fixed: go(
        '_, err := lend(request)\nif err != nil {\n\treturn mcp.NewToolResultError(fmt.Sprintf("lending %s: %v", request.Isbn, err)), nil\n}\nreturn ok, nil',
      ),
    },
    {
      name: 'an error as it came',
      path: 'a.go',
      text: go('_, err := lend(request)\nif err != nil {\n\t«return nil, err»\n}\nreturn ok, nil'),
      message: 'rethrow',
      confidence: 'medium',
      fixed: go(
        '_, err := lend(request)\nif err != nil {\n\treturn mcp.NewToolResultError(err.Error()), nil\n}\nreturn ok, nil',
      ),
    },
    {
      name: 'a result that tells of the error, and the error beside it',
      path: 'a.go',
      text: go(
        '_, err := lend(request)\nif err != nil {\n\t«return mcp.NewToolResultError(err.Error()), err»\n}\nreturn ok, nil',
      ),
      message: 'rethrow',
      confidence: 'medium',
      fixed: go(
        '_, err := lend(request)\nif err != nil {\n\treturn mcp.NewToolResultError(err.Error()), nil\n}\nreturn ok, nil',
      ),
    },
    {
      name: 'an error of a handler without types in the official SDK for Go',
      path: 'a.go',
      text: officialGo('«return nil, fmt.Errorf("no book")»'),
      message: 'lowLevel',
      confidence: 'high',
      fixed: officialGo(
        'return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf("no book")}}}, nil',
      ),
    },
    ...[
      [
        'return Err(McpError::invalid_params("no book", None));',
        'return Ok(CallToolResult::error(vec![Content::text("no book")]));',
      ],
      [
        'Err(ErrorData::internal_error(\n            format!("no {}", x),\n            None,\n        ))',
        'Ok(CallToolResult::error(vec![Content::text(format!("no {}", x))]))',
      ],
      ['return Err(refused("no book"));', undefined],
    ].map(([written = '', fixed]) => ({
      name: `${written.slice(0, 40)} in Rust`,
      path: 'a.rs',
      text: rust(`«${written}»`),
      message: 'lowLevel',
      confidence: 'high' as const,
      ...(fixed === undefined ? {} : { fixed: rust(fixed) }),
    })),
    {
      name: 'MCPError in a tool of MCPServer',
      path: 'a.py',
      text: v2('«raise MCPError(code=1, message=f"no book {x}")»'),
      message: 'class',
      confidence: 'high',
      fixed: v2('raise ToolError(f"no book {x}")')
        .replace('import MCPServer\n', 'import MCPServer\n')
        .replace(
          'from mcp import MCPError\n',
          'from mcp import MCPError\nfrom mcp.server.mcpserver.exceptions import ToolError\n',
        ),
    },
    {
      name: 'a raise in a low-level handler of Python v2',
      path: 'a.py',
      text: lowV2('if params.name == "a":\n    «raise ValueError("url is missing")»\nreturn ok()'),
      message: 'lowLevel',
      confidence: 'high',
      fixed: lowV2(
        'if params.name == "a":\n    return types.CallToolResult(content=[types.TextContent(type="text", text="url is missing")], is_error=True)\nreturn ok()',
      ),
    },
    {
      name: 'a protocol error in a low-level handler',
      path: 'a.ts',
      text: lowTs('if (!known()) {\n  «throw new McpError(ErrorCode.InvalidParams, "no book");»\n}\nreturn ok();'),
      message: 'lowLevel',
      confidence: 'high',
      fixed: lowTs(
        'if (!known()) {\n  return { isError: true, content: [{ type: \'text\', text: "no book" }] };\n}\nreturn ok();',
      ),
    },
    {
      name: 'a caught error thrown on',
      path: 'a.ts',
      text: lowTs('try {\n  return await lend();\n} catch (e) {\n  log(e);\n  «throw e;»\n}'),
      message: 'rethrow',
      confidence: 'medium',
      fixed: lowTs(
        "try {\n  return await lend();\n} catch (e) {\n  log(e);\n  return { isError: true, content: [{ type: 'text', text: e instanceof Error ? e.message : String(e) }] };\n}",
      ),
    },
    {
      name: 'a helper of a low-level handler',
      path: 'a.ts',
      text: `${lowTs('return lend(request.params.arguments);')}function lend(args) {\n  if (!args.isbn) «throw new Error("isbn is required");»\n  return ok(args);\n}\n`,
      message: 'lowLevel',
      confidence: 'medium',
    },
    {
      name: "an error that Go's mcp-go returns",
      path: 'a.go',
      text: registeredGo('«return nil, fmt.Errorf("x is required")»'),
      message: 'lowLevel',
      confidence: 'high',
      fixed: registeredGo('return mcp.NewToolResultError(fmt.Sprintf("x is required")), nil'),
    },
  ],
);
