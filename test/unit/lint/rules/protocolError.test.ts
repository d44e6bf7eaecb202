import { protocolError } from '../../../../src/lint/rules/protocolError.ts';
import { go, lowTs, lowV2, testRule, ts, v1, v2 } from './ruleTable.ts';

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
      name: 'an error of a helper, which its caller looks at',
      path: 'a.go',
      text: `${go(
        'shelf, err := shelfOf(request)\nif err != nil {\n\treturn mcp.NewToolResultError(err.Error()), nil\n}\nreturn mcp.NewToolResultText(shelf), nil',
      )}\nfunc shelfOf(request mcp.CallToolRequest) (string, error) {\n\tif request.Shelf == "" {\n\t\treturn "", errors.New("shelf is required")\n\t}\n\treturn request.Shelf, nil\n}\n`,
    },
  ],
  [
    {
      name: 'an error that a handler of Go gives back',
      path: 'a.go',
      text: go(
        'if shelf == "" {\n\t«return nil, errors.New("shelf is required")»\n}\nreturn mcp.NewToolResultText(shelf), nil',
      ),
      message: 'lowLevel',
      confidence: 'high',
    },
    {
      name: 'an error that a handler of Go gives back from elsewhere',
      path: 'a.go',
      text: `${go('return lend(request)')}\nfunc lend(request mcp.CallToolRequest) (*mcp.CallToolResult, error) {\n\t«return nil, errors.New("no book")»\n}\n`,
      message: 'lowLevel',
      confidence: 'high',
    },
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
      text: 'package main\n\nimport (\n\t"context"\n\t"fmt"\n\n\t"github.com/mark3labs/mcp-go/mcp"\n\t"github.com/mark3labs/mcp-go/server"\n)\n\nfunc main() {\n\ts := server.NewMCPServer("a", "1")\n\ts.AddTool(mcp.NewTool("f"), func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {\n\t\tif req.GetString("x", "") == "" {\n\t\t\t«return nil, fmt.Errorf("x is required")»\n\t\t}\n\t\treturn mcp.NewToolResultText("ok"), nil\n\t})\n}\n',
      message: 'lowLevel',
      confidence: 'high',
    },
  ],
);
