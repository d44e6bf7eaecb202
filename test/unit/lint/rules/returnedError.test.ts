import { returnedError } from '../../../../src/lint/rules/returnedError.ts';
import { lowTs, testRule, ts, v1 } from './ruleTable.ts';

const typed = (body: string, type = 'dict') => v1(body, `@mcp.tool()\ndef f(x: str) -> ${type}:`);

/** With the import that a raised `ToolError` needs. */
const raising = (text: string) =>
  text.replace('import FastMCP\n', 'import FastMCP\nfrom mcp.server.fastmcp.exceptions import ToolError\n');

const csharp = (body: string, type = 'object') =>
  `using ModelContextProtocol.Server;\npublic class Tools\n{\n    [McpServerTool]\n    public static ${type} Find(string x)\n    {\n${body}\n    }\n}\n`;

const java = (body: string) =>
  `import org.springframework.ai.tool.annotation.Tool;\n\npublic class Tools {\n    @Tool(description = "Lends.")\n    public Answer lend(String x) {\n${body
    .split('\n')
    .map((line) => `        ${line}`)
    .join('\n')}\n    }\n}\n`;

testRule(
  returnedError,
  [
    {
      name: 'an unknown helper that may set the flag',
      path: 'a.py',
      text: v1('from .a import error_result\nif not x:\n    return error_result(x)\nreturn x'),
    },
    {
      name: 'an unknown helper in TypeScript',
      path: 'a.ts',
      text: ts('if (!x) {\n  return errorResult("x is required");\n}\nreturn ok();'),
    },
    {
      name: 'a helper that goes on after an error',
      path: 'a.py',
      text: typed('try:\n    return load(x)\nexcept OSError as exc:\n    return fall_back(exc)'),
    },
    { name: 'a report about errors', path: 'a.py', text: typed('if x:\n    return error_report(x)\nreturn {}') },
    {
      name: 'data that a dispatcher makes the flag of',
      path: 'a.ts',
      text: `${lowTs(
        'const tool = tools.find(({ name }) => name === request.params.name);\nconst result = await tool.execute(request.params.arguments);\nreturn { content: [{ type: "text", text: JSON.stringify(result) }], isError: !result.success };',
      )}const tools = [{ name: "lend", description: "Lends.", inputSchema: {}, execute: async ({ isbn }) => {\n  try {\n    return { success: true, book: await find(isbn) };\n  } catch (error) {\n    return { success: false, error: error.message };\n  }\n} }];\n`,
    },
    {
      name: 'a state under one sign or another',
      path: 'a.ts',
      text: ts(
        'const sign = x.isFine ? "\u{2705}" : "\u{274c}";\nreturn { content: [{ type: "text", text: sign + " State: " + x.state }] };',
      ),
    },
    {
      name: 'a helper named after issues',
      path: 'a.py',
      text: typed('from .a import handle_get_issue\nif x:\n    return handle_get_issue(x)\nreturn {}'),
    },
    { name: 'a model that succeeded', path: 'a.py', text: typed('return Answer(success=True, error=None, value=x)') },
    {
      name: 'a state of which nothing is known to be wrong',
      path: 'a.py',
      text: typed('return {"error": False, "message": "all is well"}'),
    },
    { name: 'a page without text', path: 'a.py', text: v1('if not x:\n    return "Page is empty or has only images"') },
    {
      name: 'what a spread brings',
      path: 'a.py',
      text: `${typed('return wrap({"value": x})')}\ndef wrap(data):\n    return {**data, "at": 1}\n`,
    },
    {
      name: 'content that a helper flags by a second argument',
      path: 'a.ts',
      text: ts('if (!x) {\n  return textResult("x is required", true);\n}\nreturn ok();'),
    },
    {
      name: 'a message that is set on another way',
      path: 'A.java',
      text: java(
        'Answer answer = new Answer();\nif (x == null) {\n    throw new IllegalArgumentException("x is required");\n}\nanswer.setMessage("lent");\nreturn answer;',
      ),
    },
    {
      name: 'what a helper was given, back from its catch',
      path: 'a.py',
      text: `${v1('return wrap("Lent to the reader")')}\ndef wrap(text):\n    try:\n        return f"{text}, {clock()}"\n    except OSError:\n        return text\n`,
    },
    {
      name: 'a message beside a status that is no error',
      path: 'a.py',
      text: typed(
        'answer = {"x": x}\ntry:\n    answer["value"] = load(x)\nexcept OSError:\n    answer["status"] = "warning"\n    answer["message"] = "Made, but it could not be read yet"\nreturn answer',
      ),
    },
    {
      name: 'a report that a helper wraps around what it is given',
      path: 'a.py',
      text: `${v1('return wrap(x)')}\ndef wrap(text):\n    if not text:\n        return f"{text}, read to the end"\n    return load(text)\n`,
    },
    {
      name: 'an error class that is thrown',
      path: 'A.cs',
      text: csharp('        if (x == "") { throw new ToolException("x is required"); }\n        return x;', 'string'),
    },
  ],
  [
    {
      name: 'a helper named after errors, by a declared result',
      path: 'a.py',
      text: typed(
        'from .a import error_response\nif not x:\n    «return error_response("x is required")»\nreturn {"x": x}',
      ),
      message: 'helper',
      confidence: 'medium',
      fixed: raising(
        typed('from .a import error_response\nif not x:\n    raise ToolError("x is required")\nreturn {"x": x}'),
      ),
    },
    {
      name: 'what a catch makes of its error, by a declared result',
      path: 'a.py',
      text: typed('try:\n    return load(x)\nexcept OSError as exc:\n    «return answer_from(exc)»', 'str'),
      message: 'caught',
      confidence: 'medium',
      fixed: raising(
        typed(
          'try:\n    return load(x)\nexcept OSError as exc:\n    raise ToolError(str(answer_from(exc))) from exc',
          'str',
        ),
      ),
    },
    {
      name: 'a sentence for a helper that adds the error to it',
      path: 'a.py',
      text: typed(
        'try:\n    return load(x)\nexcept OSError as exc:\n    «return format_error(exc, "Listing failed.")»',
        'str',
      ),
      message: 'helper',
      confidence: 'high',
      fixed: raising(
        typed(
          'try:\n    return load(x)\nexcept OSError as exc:\n    raise ToolError(f"Listing failed: {exc}") from exc',
          'str',
        ),
      ),
    },
    {
      name: 'a static method of an error class',
      path: 'a.py',
      text: typed('if not x:\n    «return ApiError.create(message="x is required")»\nreturn {"x": x}'),
      message: 'helper',
      confidence: 'medium',
      fixed: raising(typed('if not x:\n    raise ToolError("x is required")\nreturn {"x": x}')),
    },
    {
      name: 'a model that failed',
      path: 'a.py',
      text: typed(
        'if not x:\n    «return Answer(success=False, error="Session not found")»\nreturn {"x": x}',
        'Answer',
      ),
      message: 'object',
      confidence: 'high',
      fixed: raising(typed('if not x:\n    raise ToolError("Session not found")\nreturn {"x": x}', 'Answer')),
    },
    {
      name: 'a tool that is gone',
      path: 'a.py',
      text: typed('«return {"error": True, "message": "This service was shut down"}»'),
      message: 'object',
      confidence: 'high',
      fixed: raising(typed('raise ToolError("This service was shut down")')),
    },
    {
      name: 'an error under an envelope',
      path: 'a.py',
      text: `${typed(
        'try:\n    return wrap({"value": load(x)})\nexcept OSError as exc:\n    «return wrap({"error": str(exc)})»',
      )}\ndef wrap(data):\n    return {**data, "at": 1}\n`,
      message: 'object',
      confidence: 'high',
      fixed: raising(
        `${typed(
          'try:\n    return wrap({"value": load(x)})\nexcept OSError as exc:\n    raise ToolError(str(exc)) from exc',
        )}\ndef wrap(data):\n    return {**data, "at": 1}\n`,
      ),
    },
    {
      name: 'content of handlers that are registered elsewhere',
      path: 'a.py',
      text: 'from mcp.types import TextContent\n\nasync def list_books(arguments) -> list[TextContent]:\n    if not arguments:\n        «return [TextContent(type="text", text="shelf is required")]»\n    return [TextContent(type="text", text=str(arguments))]\n',
      message: 'guard',
      confidence: 'medium',
      isSafe: true,
      fixed:
        'from mcp.types import TextContent\nfrom mcp.types import CallToolResult\n\nasync def list_books(arguments) -> list[TextContent]:\n    if not arguments:\n        return CallToolResult(content=[TextContent(type="text", text="shelf is required")], isError=True)\n    return [TextContent(type="text", text=str(arguments))]\n',
    },
    {
      name: 'an empty answer under a cross',
      path: 'a.ts',
      text: ts(
        'if (!x) {\n  «return { content: [{ type: "text", text: "\u{274c} No requests found." }] };»\n}\nreturn ok();',
      ),
      message: 'text',
      confidence: 'high',
      isSafe: true,
      fixed: ts(
        'if (!x) {\n  return { isError: true, content: [{ type: "text", text: "\u{274c} No requests found." }] };\n}\nreturn ok();',
      ),
    },
    {
      name: 'an issue of a tracker, which is no report about errors',
      path: 'a.ts',
      text: ts(
        'if (!x) {\n  «return { content: [{ type: "text", text: "Book 3 not found" }] };»\n}\nreturn ok();',
      ).replace('"f"', '"get_issue"'),
      message: 'guard',
      confidence: 'medium',
      isSafe: true,
      fixed: ts(
        'if (!x) {\n  return { isError: true, content: [{ type: "text", text: "Book 3 not found" }] };\n}\nreturn ok();',
      ).replace('"f"', '"get_issue"'),
    },
    {
      name: 'a failure under one sign or another',
      path: 'a.ts',
      text: ts(
        'const sign = x.isSlow ? "\u{231b}" : "\u{274c}";\nif (!x.isFine) {\n  «return { content: [{ type: "text", text: sign + " Failed to lend" }] };»\n}\nreturn ok();',
      ),
      message: 'text',
      confidence: 'high',
      isSafe: true,
      fixed: ts(
        'const sign = x.isSlow ? "\u{231b}" : "\u{274c}";\nif (!x.isFine) {\n  return { isError: true, content: [{ type: "text", text: sign + " Failed to lend" }] };\n}\nreturn ok();',
      ),
    },
    {
      name: 'results beside the definition of their tool',
      path: 'a.ts',
      text: 'export const definition = { name: "lend", description: "Lends.", inputSchema: {} };\n\nexport async function lendHandler(args) {\n  const book = find(args.isbn);\n  if (!book) {\n    «return { content: [{ type: "text", text: "Book not found" }] };»\n  }\n  return { content: [{ type: "text", text: book.title }] };\n}\n',
      message: 'guard',
      confidence: 'medium',
      isSafe: true,
      fixed:
        'export const definition = { name: "lend", description: "Lends.", inputSchema: {} };\n\nexport async function lendHandler(args) {\n  const book = find(args.isbn);\n  if (!book) {\n    return { isError: true, content: [{ type: "text", text: "Book not found" }] };\n  }\n  return { content: [{ type: "text", text: book.title }] };\n}\n',
    },
    {
      name: 'the error of data that was asked for one',
      path: 'a.py',
      text: typed(
        'result = ask(x)\nif "error" in result:\n    «return {"error": result["error"], "at": 1, "by": 2, "for": 3}»\nreturn result',
      ),
      message: 'object',
      confidence: 'medium',
      fixed: raising(
        typed('result = ask(x)\nif "error" in result:\n    raise ToolError(str(result["error"]))\nreturn result'),
      ),
    },
    {
      name: 'data in the content of what nothing here registers',
      path: 'a.ts',
      text: 'export async function lendTool(args) {\n  try {\n    return { content: [{ type: "text", text: JSON.stringify(await find(args.isbn)) }] };\n  } catch (error) {\n    «return { content: [{ type: "text", text: JSON.stringify({ error: error.message }) }] };»\n  }\n}\n',
      message: 'object',
      confidence: 'high',
      isSafe: true,
      fixed:
        'export async function lendTool(args) {\n  try {\n    return { content: [{ type: "text", text: JSON.stringify(await find(args.isbn)) }] };\n  } catch (error) {\n    return { isError: true, content: [{ type: "text", text: JSON.stringify({ error: error.message }) }] };\n  }\n}\n',
    },
    {
      name: 'a helper whose promise may fail',
      path: 'a.ts',
      text: `${ts('return ask(x);')}function ask(x) {\n  «return fetch(x).then((answer) => ({ ok: answer.ok, body: answer })).catch((error) => ({ ok: false, error: error.message }));»\n}\n`,
      message: 'object',
      confidence: 'high',
    },
    {
      name: 'data under a short name for its text',
      path: 'a.ts',
      text: ts(
        'const book = await find(x);\nif (!book) {\n  «return { content: [{ type: "text", text: j({ message: "Could not find the book" }) }] };»\n}\nreturn ok();',
      ),
      message: 'text',
      confidence: 'medium',
      isSafe: true,
      fixed: ts(
        'const book = await find(x);\nif (!book) {\n  return { isError: true, content: [{ type: "text", text: j({ message: "Could not find the book" }) }] };\n}\nreturn ok();',
      ),
    },
    {
      name: 'content by a name that promises success',
      path: 'a.ts',
      text: ts('if (!x) {\n  «return textResult("x is required");»\n}\nreturn ok();'),
      message: 'guard',
      confidence: 'medium',
      fixed: ts('if (!x) {\n  return { ...textResult("x is required"), isError: true };\n}\nreturn ok();'),
    },
    {
      name: 'an error variable of the branch that returns it',
      path: 'A.cs',
      text: csharp(
        '        if (x == "")\n        {\n            var errorText = new StringBuilder();\n            errorText.AppendLine(Reasons.First());\n            «return errorText.ToString();»\n        }\n        return x;',
        'string',
      ),
      message: 'variable',
      confidence: 'medium',
    },
    {
      name: 'a message that is set on the answer',
      path: 'A.java',
      text: java(
        'Answer answer = new Answer();\ntry {\n    answer.setValue(load(x));\n    return answer;\n} catch (Exception e) {\n    answer.setMessage("the shelf cannot be read");\n    «return answer;»\n}',
      ),
      message: 'text',
      confidence: 'medium',
    },
    {
      name: 'a failure whose words come late',
      path: 'a.ts',
      text: ts(
        'try {\n  return await lend();\n} catch (e) {\n  «return { content: [{ type: "text", text: "Shelf state: not available, " + e.message }] };»\n}',
      ),
      message: 'caught',
      confidence: 'high',
      isSafe: true,
      fixed: ts(
        'try {\n  return await lend();\n} catch (e) {\n  return { isError: true, content: [{ type: "text", text: "Shelf state: not available, " + e.message }] };\n}',
      ),
    },
    {
      name: 'an error that goes through a helper',
      path: 'a.py',
      text: `${v1('if not x:\n    «return wrap("Error: x is required")»\nreturn wrap(x)')}\ndef wrap(text):\n    if text:\n        return f"{text}, read to the end"\n    return load(text)\n`,
      message: 'helper',
      confidence: 'high',
      fixed: raising(
        `${v1('if not x:\n    raise ToolError(str(wrap("Error: x is required")))\nreturn wrap(x)')}\ndef wrap(text):\n    if text:\n        return f"{text}, read to the end"\n    return load(text)\n`,
      ),
    },
    {
      name: 'a status that is the first argument',
      path: 'A.cs',
      text: csharp(
        '        if (x == "")\n        {\n            «return new Outcome("error", Reasons.First());»\n        }\n        return x;',
      ),
      message: 'helper',
      confidence: 'medium',
    },
    {
      name: 'a class between a tool and its SDK',
      path: 'A.php',
      text: `<?php\n\nnamespace App;\n\nuse Laravel\\Mcp\\Request;\nuse Laravel\\Mcp\\Response;\n\nclass Lend extends LibraryTool\n{\n    public function handle(Request $request): Response\n    {\n        if ($request->get('isbn') === null) {\n            «return Response::text('isbn is required');»\n        }\n        return Response::text('lent');\n    }\n}\n`,
      message: 'guard',
      confidence: 'medium',
      isSafe: true,
      fixed: `<?php\n\nnamespace App;\n\nuse Laravel\\Mcp\\Request;\nuse Laravel\\Mcp\\Response;\n\nclass Lend extends LibraryTool\n{\n    public function handle(Request $request): Response\n    {\n        if ($request->get('isbn') === null) {\n            return Response::error('isbn is required');\n        }\n        return Response::text('lent');\n    }\n}\n`,
    },
    {
      name: 'an object of an error class',
      path: 'A.cs',
      text: csharp(
        '        if (x == "") {\n            «return new ToolError(Kinds.Invalid, "x is required");»\n        }\n        return x;',
      ),
      message: 'helper',
      confidence: 'medium',
      fixed: `using ModelContextProtocol;\n${csharp('        if (x == "") {\n            throw new McpException("x is required");\n        }\n        return x;')}`,
    },
  ],
);
