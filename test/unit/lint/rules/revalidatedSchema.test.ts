import { revalidatedSchema } from '../../../../src/lint/rules/revalidatedSchema.ts';
import { lowTs, testRule, v1 } from './ruleTable.ts';

const py = (parameters: string, body: string) => v1(body, `@mcp.tool()\ndef f(${parameters}):`);
const zod = (shape: string, body: string) =>
  `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\nconst server = new McpServer({});\nserver.registerTool("f", { description: "f", inputSchema: { x: ${shape} } }, async ({ x }) => {\n  ${body}\n  return ok();\n});\n`;

testRule(
  revalidatedSchema,
  [
    {
      name: 'another type',
      path: 'a.py',
      text: py('x: str', 'if not isinstance(x, int):\n    raise ValueError("no")'),
    },
    { name: 'no declared type', path: 'a.py', text: py('x', 'if not isinstance(x, int):\n    raise ValueError("no")') },
    {
      name: 'a union, of which one is wanted',
      path: 'a.py',
      text: py('x: int | str', 'if not isinstance(x, int):\n    raise ValueError("no")'),
    },
    {
      name: 'a parameter that may be left out',
      path: 'a.py',
      text: py('x: int | None = None', 'if x is None:\n    raise ValueError("no")'),
    },
    {
      name: 'a variable of the same name',
      path: 'a.py',
      text: py('x: int', 'x = read()\nif not isinstance(x, int):\n    raise ValueError("no")'),
    },
    {
      name: 'a test that refuses nothing',
      path: 'a.py',
      text: py('x: int', 'if isinstance(x, int):\n    return "ok"'),
    },
    { name: 'a test of the value', path: 'a.py', text: py('x: int', 'if x < 0:\n    raise ValueError("no")') },
    {
      name: 'an optional field',
      path: 'a.ts',
      text: zod('z.string().optional()', 'if (x === undefined) throw new Error("no");'),
    },
    {
      name: 'a low-level handler, which checks nothing',
      path: 'a.ts',
      text: lowTs('if (typeof request.params.arguments.x !== "string") throw new Error("no");'),
    },
  ],
  [
    {
      name: 'the declared type',
      path: 'a.py',
      text: py('x: int', 'if «not isinstance(x, int)»:\n    raise ValueError("x must be an integer")'),
      message: 'type',
      confidence: 'high',
    },
    {
      name: 'one of several tests',
      path: 'a.py',
      text: py('x: list[str]', 'if «not isinstance(x, list)» or not x:\n    raise ValueError("no")'),
      message: 'type',
      confidence: 'high',
    },
    {
      name: 'an optional parameter that is there',
      path: 'a.py',
      text: py(
        'x: Optional[Dict[str, int]] = None',
        'if x is not None:\n    if «not isinstance(x, dict)»:\n        raise ValueError("no")',
      ),
      message: 'type',
      confidence: 'high',
    },
    {
      name: 'a description around the type',
      path: 'a.py',
      text: py(
        'x: Annotated[str, Field(description="a, b")]',
        'if «not isinstance(x, str)»:\n    raise ValueError("no")',
      ),
      message: 'type',
      confidence: 'high',
    },
    {
      name: 'a required parameter',
      path: 'a.py',
      text: py('x: int', 'if «x is None»:\n    raise ValueError("x is required")'),
      message: 'missing',
      confidence: 'medium',
    },
    {
      name: 'a field of a schema',
      path: 'a.ts',
      text: zod('z.string().min(1)', 'if «(typeof x !== "string")» throw new Error("no");'),
      message: 'type',
      confidence: 'high',
    },
    {
      name: 'a list in a schema',
      path: 'a.ts',
      text: zod('z.array(z.string())', 'if «(!Array.isArray(x))» throw new Error("no");'),
      message: 'type',
      confidence: 'high',
    },
    {
      name: 'a required field',
      path: 'a.ts',
      text: zod('z.number()', 'if «(x === undefined)» throw new Error("no");'),
      message: 'missing',
      confidence: 'medium',
    },
  ],
);
