import { returnedError } from '../../../../src/lint/rules/returnedError.ts';
import { testRule, v1 } from './ruleTable.ts';

const typed = (body: string, type = 'dict') => v1(body, `@mcp.tool()\ndef f(x: str) -> ${type}:`);

/** With the import that a raised `ToolError` needs. */
const raising = (text: string) =>
  text.replace('import FastMCP\n', 'import FastMCP\nfrom mcp.server.fastmcp.exceptions import ToolError\n');

testRule(
  returnedError,
  [
    {
      name: 'an answer that a condition found to be right',
      path: 'a.py',
      text: typed(
        'from .a import ask\nanswer = ask(x)\nif answer["status"] == "ok":\n    return answer\nif "error" not in answer:\n    return answer\nif answer.status_code == 200:\n    return f"{answer.text}"\nreturn {}',
      ),
    },
    {
      name: 'a label that begins like an error among many',
      path: 'a.py',
      text: typed('return {"a": "Error: as it is shown", "b": 1, "c": 2, "d": 3}'),
    },
  ],
  [
    {
      name: 'an answer that a condition found to have failed',
      path: 'a.py',
      text: typed(
        'from .a import ask\nanswer = ask(x)\nif "error" in answer:\n    «return answer»\nif not answer.get("success"):\n    «return answer»\nif answer["status"] != "ok":\n    «return answer»\nreturn {"x": answer["x"]}',
      ),
      message: 'variable',
      confidence: 'medium',
      fixed: raising(
        typed(
          'from .a import ask\nanswer = ask(x)\nif "error" in answer:\n    raise ToolError(str(answer))\nif not answer.get("success"):\n    return answer\nif answer["status"] != "ok":\n    return answer\nreturn {"x": answer["x"]}',
        ),
      ),
    },
    {
      name: 'what a failed answer says',
      path: 'a.py',
      text: typed(
        'from .a import ask\nanswer = ask(x)\nif answer.status_code != 200:\n    «return f"The shelf says {answer.text}"»\nif answer.status_code in (401, 403):\n    «return f"{answer.json()[\'detail\']}, she said"»\nif answer.status_code >= 500:\n    «return f"Shelf: {answer.reason_phrase}"»\nreturn answer.text',
        'str',
      ),
      message: 'guard',
      confidence: 'medium',
      fixed: raising(
        typed(
          'from .a import ask\nanswer = ask(x)\nif answer.status_code != 200:\n    raise ToolError(f"The shelf says {answer.text}")\nif answer.status_code in (401, 403):\n    return f"{answer.json()[\'detail\']}, she said"\nif answer.status_code >= 500:\n    return f"Shelf: {answer.reason_phrase}"\nreturn answer.text',
          'str',
        ),
      ),
    },
    {
      name: 'a model of an error, as data',
      path: 'a.py',
      text: typed(
        'from .a import ErrorAnswer\nif not x:\n    err = ErrorAnswer(error="x is required", context={"x": x})\n    «return err.dict()»\nreturn {"x": x}',
      ),
      message: 'object',
      confidence: 'high',
      fixed: raising(
        typed(
          'from .a import ErrorAnswer\nif not x:\n    err = ErrorAnswer(error="x is required", context={"x": x})\n    raise ToolError(str(err.dict()))\nreturn {"x": x}',
        ),
      ),
    },
    {
      name: 'a failure under a lone key',
      path: 'a.py',
      text: typed(
        'if not x:\n    «return {"loan": {"at": 1, "success": False, "message": "x is required"}}»\nreturn {"x": x}',
      ),
      message: 'object',
      confidence: 'high',
      fixed: raising(typed('if not x:\n    raise ToolError("x is required")\nreturn {"x": x}')),
    },
    {
      name: 'an error in the place of what was asked for',
      path: 'a.py',
      text: typed('if not x:\n    «return {"id": x, "source": "Error: no such book"}»\nreturn {"x": x}'),
      message: 'text',
      confidence: 'medium',
      fixed: raising(typed('if not x:\n    raise ToolError("Error: no such book")\nreturn {"x": x}')),
    },
    {
      name: 'an error class with a digit in its name',
      path: 'a.py',
      text: typed('from .a import A12Error\nif not x:\n    «return A12Error.not_connected()»\nreturn x', 'str'),
      message: 'helper',
      confidence: 'medium',
      fixed: raising(
        typed(
          'from .a import A12Error\nif not x:\n    raise ToolError(str(A12Error.not_connected()))\nreturn x',
          'str',
        ),
      ),
    },
    {
      name: 'a folder that a search needs',
      path: 'a.py',
      text: v1(
        'if not SHELF.is_dir():\n    «return "Shelf folder not found."»\nreturn "\\n".join(found(x))',
        '@mcp.tool()\ndef search_books(x: str):',
      ),
      message: 'guard',
      confidence: 'medium',
      fixed: raising(
        v1(
          'if not SHELF.is_dir():\n    raise ToolError("Shelf folder not found.")\nreturn "\\n".join(found(x))',
          '@mcp.tool()\ndef search_books(x: str):',
        ),
      ),
    },
    {
      name: 'data of a function that a dispatcher here calls',
      path: 'a.py',
      text: 'from mcp.server import Server\napp = Server("a")\n\n@app.call_tool()\nasync def call_tool(name, arguments):\n    return await handler_of(name)(arguments)\n\nasync def lend_handler(arguments: dict) -> list[dict]:\n    if not arguments:\n        «return [{"type": "text", "text": json.dumps({"error": "isbn is required"})}]»\n    return [{"type": "text", "text": "lent"}]\n',
      message: 'object',
      confidence: 'high',
      fixed:
        'from mcp.server import Server\napp = Server("a")\n\n@app.call_tool()\nasync def call_tool(name, arguments):\n    return await handler_of(name)(arguments)\n\nasync def lend_handler(arguments: dict) -> list[dict]:\n    if not arguments:\n        raise ValueError("isbn is required")\n    return [{"type": "text", "text": "lent"}]\n',
    },
    {
      name: 'a reason beside what to do instead',
      path: 'a.py',
      text: typed(
        'try:\n    return {"text": sample(x)}\nexcept OSError as exc:\n    «return {"mode": "by_hand", "prompt": x, "reason": str(exc), "next": "write it yourself"}»',
      ),
      message: 'caught',
      confidence: 'low',
      fixed: raising(
        typed('try:\n    return {"text": sample(x)}\nexcept OSError as exc:\n    raise ToolError(str(exc)) from exc'),
      ),
    },
    {
      name: 'data of a function that a dispatcher elsewhere may read',
      path: 'a.py',
      text: 'from mcp.types import TextContent\n\nasync def handle_lend(arguments: dict) -> list[TextContent]:\n    if not arguments:\n        «return [TextContent(type="text", text=json.dumps({"status": "error", "message": "isbn is required"}))]»\n    return [TextContent(type="text", text="lent")]\n',
      message: 'object',
      confidence: 'low',
      fixed:
        'from mcp.types import TextContent\nfrom mcp.types import CallToolResult\n\nasync def handle_lend(arguments: dict) -> list[TextContent]:\n    if not arguments:\n        return CallToolResult(content=[TextContent(type="text", text=json.dumps({"status": "error", "message": "isbn is required"}))], isError=True)\n    return [TextContent(type="text", text="lent")]\n',
      isSafe: true,
    },
    {
      name: 'a result whose class is imported in a try',
      path: 'a.py',
      text: 'try:\n    from mcp.server import Server\n    from mcp.types import TextContent\nexcept ImportError:\n    raise SystemExit(1)\n\napp = Server("a")\n\n@app.call_tool()\nasync def call_tool(name, arguments):\n    «return [TextContent(type="text", text="Error: no such tool")]»\n',
      message: 'text',
      confidence: 'high',
      fixed:
        'try:\n    from mcp.server import Server\n    from mcp.types import TextContent\n    from mcp.types import CallToolResult\nexcept ImportError:\n    raise SystemExit(1)\n\napp = Server("a")\n\n@app.call_tool()\nasync def call_tool(name, arguments):\n    return CallToolResult(content=[TextContent(type="text", text="Error: no such tool")], isError=True)\n',
      isSafe: true,
    },
  ],
);
