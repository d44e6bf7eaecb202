import { afterAll, describe, expect, it } from 'vitest';
import { engine, findingsIn, linesIn, markedLines } from '../lintText.ts';

afterAll(() => engine.dispose());

const body = `
    if not x:
        return "x is required"  # <- here
    return x
`;

/** Each text marks the lines of its findings. */
const registrations: readonly [string, string][] = [
  ['a decorator with a call', `import fastmcp\nmcp = fastmcp.FastMCP("a")\n@mcp.tool()\ndef f(x):${body}`],
  ['a decorator without a call', `from fastmcp import FastMCP as F\nm = F("a")\n@m.tool\nasync def f(x):${body}`],
  ['a name as argument', `@server.tool("tool-name")\ndef f(x):${body}`],
  [
    'an attribute',
    `class A:\n  def __init__(self):\n    self.mcp = FastMCP()\n    @self.mcp.tool()\n    def f(x):${body.replaceAll('\n', '\n    ')}`,
  ],
  ['a server from another module', `from .app import mcp\n@mcp.tool()\ndef f(x):${body}`],
  ['add_tool', `def f(x):${body}\nmcp.add_tool(f)\n`],
  ['add_tool with Tool.from_function', `def f(x):${body}\nmcp.add_tool(Tool.from_function(f, name="f"))\n`],
  ['a tool called on a function', `def f(x):${body}\nmcp.tool()(f)\n`],
  ['a tool of a function', `def f(x):${body}\nmcp.tool(f)\n`],
  ['a loop over a list in a variable', `def f(x):${body}\nTOOLS = [f]\nfor fn in TOOLS:\n    mcp.add_tool(fn)\n`],
  ['a list of tools', `from fastmcp import FastMCP\ndef f(x):${body}\nmcp = FastMCP("a", tools=[f])\n`],
  ['a decorator from the package', `from fastmcp.tools import tool\n@tool\ndef f(x):${body}`],
  [
    'a decorator that wraps',
    `def guard(fn):\n    def inner(*a):\n        try:\n            return fn(*a)\n        except Exception as e:\n            return f"broken: {e}"  # <- here\n    return inner\n@mcp.tool()\n@guard\ndef f(x):\n    return x\n`,
  ],
  [
    'a dispatch table',
    `from mcp.server import Server\napp = Server("a")\ndef f(x):${body}\nHANDLERS = {"f": f}\n@app.call_tool()\nasync def call(name, arguments):\n    return HANDLERS[name](arguments)\n`,
  ],
  [
    'a method of an object',
    `class Client:\n    def get(self, x):${body.replaceAll('\n', '\n    ')}\nclient = Client()\n@mcp.tool()\ndef f(x):\n    return client.get(x)\n`,
  ],
  [
    'an inherited method',
    `class Base:\n    def get(self, x):${body.replaceAll('\n', '\n    ')}\nclass C(Base):\n    def __init__(self, s):\n        s.add_tool(self.get)\n`,
  ],
  [
    'the context of the SDK, in a module that another file registers',
    `from fastmcp import Context\nasync def f(ctx: Context, x: str) -> str:${body}\nasync def beside(x: str) -> str:${body}\nasync def _own(x: str) -> str:\n    return "Error: no"\n`,
  ],
  [
    'the context of the SDK, in a method that another file calls',
    `from fastmcp import Context\nclass Lend(Tool):\n    async def execute(self, x: str, ctx: Context | None = None) -> str:${body.replaceAll('\n', '\n    ')}\n    def other(self, x: str) -> str:\n        return "Error: no"\n`,
  ],
  [
    'the context of the SDK, in a helper',
    'from fastmcp import Context, FastMCP\nmcp = FastMCP("a")\ndef checked(ctx: Context) -> str:\n    return "Error: no"\n@mcp.tool()\ndef f(x, ctx: Context):\n    log(checked(ctx))\n    return x\n',
  ],
  [
    'another context',
    'from decimal import Context\nimport mcp\ndef f(ctx: Context, x: str) -> str:\n    return "Error: no"\n',
  ],
  [
    'a decorator for the tools of other files',
    `from functools import wraps\nfrom mcp.types import TextContent\ndef guard(fn):\n    @wraps(fn)\n    def inner(*a):\n        if not a:\n            return [TextContent(type="text", text="Error: no")]  # <- here\n        return fn(*a)\n    return inner\n`,
  ],
  [
    "another library's tool",
    `from pydantic_ai import Agent\nagent = Agent("m")\n@agent.tool\ndef f(ctx, x):\n    # mcp\n    return "Error: no"\n`,
  ],
  ["LangChain's tool", `from langchain.tools import tool\nimport mcp\n@tool\ndef f(x):\n    return "Error: no"\n`],
];

const values: readonly [string, string][] = [
  ['a percent format', 'return "Error: %s" % x  # <- here'],
  ['a format call', 'return "Failed: {}".format(x)  # <- here'],
  ['a join', 'return "\\n".join(["Error", x])  # <- here'],
  ['a walrus', 'if (e := "Error: no"):\n        return e  # <- here'],
  ['a constant of the module', 'return MESSAGE  # <- here'],
  ['a constant of a table', 'return MESSAGES["missing"]  # <- here'],
  ['a tuple', 'return ("Error: a", 1)  # <- here'],
  ['a lookup with a default', 'r = {"error": "no such book"}\n    return r.get("error", "")  # <- here'],
  ['a result class of its own', 'return json.dumps(ToolResult(success=False, error="no").dict())  # <- here'],
  ["the SDK's result class", 'return ToolResult(content="Error: no", is_error=True)'],
  ['a dict of a model', 'r = Answer(success=False, why="no")\n    return r.dict()  # <- here'],
  ['a dict call', 'return dict(error="no")  # <- here'],
  ['a nested result', 'return {"result": {"success": False, "message": "no"}}  # <- here'],
  ['an error that is None', 'return {"data": x, "error": None}'],
  ['errors that are empty', 'return {"ok": True, "errors": []}'],
  ['a success with an error', 'return {"success": True, "error": x.error}'],
  ['a success that is computed', 'return {"success": bool(x), "path": x}'],
  ['a with block', 'with open(x) as f:\n        return "Error: no"  # <- here'],
  [
    'a try with an else',
    'try:\n        y = go(x)\n    except KeyError:\n        return "no such thing"  # <- here\n    else:\n        return y',
  ],
  [
    'a variable over two catches',
    'try:\n        y = go(x)\n    except KeyError as e:\n        y = f"missing {e}"\n    except OSError:\n        y = None\n    return y  # <- here',
  ],
  ['a variable that is overwritten', 'y = "Error: no"\n    y = go(x)\n    return y'],
  ['an augmented text', 'y = "Error: "\n    y += x\n    return y  # <- here'],
  [
    'what a catch adds to a heading',
    'out = f"# {x.upper()}\\n"\n    try:\n        out += go(x)\n    except Exception as e:\n        out += f"Error: {e}\\n"\n    out += "---"\n    return out  # <- here',
  ],
  [
    'what a catch adds to a part',
    'out = go(x)\n    try:\n        out += more(x)\n    except Exception as e:\n        out += f"Error: {e}\\n"\n    return out',
  ],
  [
    'what a catch adds before other work',
    'out = "# A\\n"\n    try:\n        out += go(x)\n    except Exception as e:\n        out += f"Error: {e}\\n"\n    for y in x:\n        out += str(y)\n    return out',
  ],
  [
    'what a catch adds under a condition',
    'out = "# A\\n"\n    if x:\n        try:\n            out += go(x)\n        except Exception as e:\n            out += f"Error: {e}\\n"\n    return out',
  ],
  ['an error object from a check', 'err = check(x)\n    if err:\n        return err  # <- here\n    return x'],
  [
    'an error beside a value',
    'value, error = check(x)\n    if error is not None:\n        return {"error": error}  # <- here\n    return value',
  ],
  [
    'a member that is set later',
    'r = {"success": True}\n    try:\n        go(x)\n    except Exception as e:\n        r["error"] = str(e)\n    return r  # <- here',
  ],
  [
    'a traceback',
    'try:\n        return go(x)\n    except Exception:\n        return traceback.format_exc()  # <- here',
  ],
  ['an unknown helper in a catch', 'try:\n        return go(x)\n    except Exception as e:\n        return handle(e)'],
  ['a fallback in a catch', 'try:\n        return go(x)\n    except Exception:\n        return other(x)'],
  ['a nested function', 'def inner():\n        return "Error: no"\n    return go(inner)'],
  ['a generator', 'return [f"Error {y}" for y in x]'],
  ['a text about errors', 'if x:\n        return "Error log:\\n" + x\n    return x'],
  [
    'a question back',
    'if not x:\n        return "Set confirm=true to delete 3 files that cannot be restored"\n    return x',
  ],
];

describe('handlers in Python', () => {
  it.each(registrations)('%s', async (_, text) => {
    expect(await linesIn('server.py', text)).toEqual(markedLines(text));
  });

  it('name the tool', async () => {
    const text = `@mcp.tool(name="first")\ndef f(x):\n    return helper(x)\n@mcp.tool()\ndef second(x):\n    return helper(x)\ndef helper(x):${body}`;
    expect((await findingsIn('server.py', text)).map(({ tools }) => tools)).toEqual([['first', 'second']]);
  });

  it.each([
    ['from mcp.server.fastmcp import FastMCP\nm = FastMCP("a")\n@m.tool()', 'py-fastmcp-v1'],
    ['from mcp.server import MCPServer\nm = MCPServer("a")\n@m.tool()', 'py-mcpserver-v2'],
    ['from fastmcp import FastMCP\nm = FastMCP("a")\n@m.tool()', 'py-fastmcp-standalone'],
    ['from mcp.server.lowlevel import Server\nm = Server("a")\n@m.call_tool()', 'py-lowlevel-v1'],
    ['from mcp.server.fastmcp import FastMCP\ndef r(m: FastMCP):\n  pass\n@m.tool()', 'py-fastmcp-v1'],
    ['@m.tool()', 'unknown'],
  ])('tell the SDK of %j', async (head, sdk) => {
    const found = await findingsIn('server.py', `${head}\ndef f(x):\n    return "Error: no"\n`);
    expect(found.map((finding) => finding.sdk)).toEqual([sdk]);
  });
});

it("handlers in Python under the server's own decorator", async () => {
  const text =
    'from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("a")\n\ndef _tool(tier="full"):\n    def deco(fn):\n        mcp.tool()(offloaded(fn))\n        return fn\n    return deco\n\ndef other():\n    return lambda fn: fn\n\n@_tool(tier="few")\ndef lend(isbn):\n    if not isbn:\n        return {"error": "isbn_required"}  # <- here\n    return {}\n\n@other()\ndef read(isbn):\n    return {"error": "isbn_required"}\n';
  expect(await linesIn('server.py', text)).toEqual(markedLines(text));
});

it('what a helper refuses in Python counts in a tool that checks, too', async () => {
  const text =
    'from mcp.server.fastmcp import FastMCP\nfrom .errors import make_error\nmcp = FastMCP("a")\n@mcp.tool()\ndef check_book(isbn: str) -> dict:\n    if not isbn:\n        return make_error(code="missing", message="isbn is required.")  # <- here\n    return {}\n';
  expect(await linesIn('server.py', text)).toEqual(markedLines(text));
});

it('a list in Python of nothing that is loaded is empty', async () => {
  const text =
    'from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("a")\n@mcp.tool()\ndef list_plugins():\n    if not plugins:\n        return "No plugins loaded."\n    return "\\n".join(plugins)\n';
  expect(await linesIn('server.py', text)).toEqual([]);
});

it('a helper in Python whose last answer may be an error gets its findings where the errors are', async () => {
  const text =
    'from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("a")\n@mcp.tool()\ndef lend(isbn):\n    return lent(isbn)\n\ndef lent(isbn):\n    if not isbn:\n        return made("error", "isbn is required")  # <- here\n    out = load(isbn)\n    return made(out.state, out.error)\n\ndef made(state, error):\n    return {"a": 1, "b": 2, "status": state, "error": error}\n';
  expect(await linesIn('server.py', text)).toEqual(markedLines(text));
});

it.each([
  ['def shelf() -> Shelf | None:\n    return known', 'shelf().lend(isbn)'],
  [
    'def shelf() -> Shelf:\n    return known',
    'at_shelf(shelf(), isbn)\n\ndef at_shelf(it: Shelf, isbn):\n    return it.lend(isbn)',
  ],
])('a method in Python of what %s gives', async (made, call) => {
  const text = `from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("a")\n@mcp.tool()\ndef lend(isbn):\n    return ${call}\n\n${made}\n\nclass Shelf:\n    def lend(self, isbn):\n        if not isbn:\n            return {"error": "isbn is required"}  # <- here\n        return {"book": isbn}\n`;
  expect(await linesIn('server.py', text)).toEqual(markedLines(text));
});

describe('values in Python', () => {
  it.each(values)('%s', async (_, code) => {
    const text = `import traceback\nMESSAGE = "Error: no"\nMESSAGES = {"missing": "Error: gone"}\n@mcp.tool()\ndef do_it(x):\n    ${code}\n`;
    expect(await linesIn('server.py', text)).toEqual(markedLines(text));
  });
});

describe('imports in Python', () => {
  const main = (line: string) =>
    `${line}\n@mcp.tool()\ndef f(x):\n    try:\n        return go(x)\n    except Exception as e:\n        return fail(e)\n`;
  const files: Readonly<Record<string, string>> = {
    '/p/pkg/errors.py': 'def fail(e):\n    return {"error": str(e)}\n',
    '/p/pkg/again.py': 'from .errors import fail\n',
    '/p/pkg/raises.py': 'def fail(e):\n    raise ValueError(e)\n',
    '/p/common/__init__.py': 'from ..pkg.errors import fail\n',
  };
  const readFile = (path: string) => Promise.resolve(files[path]);

  it.each([
    ['from .errors import fail', [7]],
    ['from .again import fail', [7]],
    ['from ..common import fail', [7]],
    ['from .raises import fail', []],
    ['from .missing import fail', []],
    ['from errors import fail', [7]],
  ])('%s', async (line, expected) => {
    expect(await linesIn('/p/pkg/server.py', main(line), { readFile })).toEqual(expected);
  });

  it('are not followed without a reader', async () => {
    expect(await linesIn('/p/pkg/server.py', main('from .errors import fail'))).toEqual([]);
  });
});
