import { blindExit } from '../../../../src/lint/rules/blindExit.ts';
import { lowTs, testRule, ts, v1 } from './ruleTable.ts';

testRule(
  blindExit,
  [
    { name: 'the end of the program', path: 'a.py', text: `${v1('return x')}\nif not mcp:\n    sys.exit(1)\n` },
    { name: 'a function that no tool calls', path: 'a.py', text: `${v1('return x')}\ndef main():\n    sys.exit(1)\n` },
    { name: 'another exit', path: 'a.py', text: v1('return door.exit(x)') },
    { name: 'a signal', path: 'a.ts', text: ts('process.on("SIGINT", () => process.exit(0));\nreturn ok();') },
    { name: 'an exit code', path: 'a.ts', text: ts('process.exitCode = 1;\nreturn ok();') },
  ],
  [
    {
      name: 'sys.exit in a tool',
      path: 'a.py',
      text: v1('if not x:\n    «sys.exit(1)»\nreturn x'),
      message: 'exit',
      confidence: 'high',
      fixed: v1('if not x:\n    raise ToolError("f failed")\nreturn x').replace(
        'import FastMCP\n',
        'import FastMCP\nfrom mcp.server.fastmcp.exceptions import ToolError\n',
      ),
    },
    {
      name: 'sys.exit with a reason',
      path: 'a.py',
      text: v1('if not x:\n    «sys.exit("x is missing")»\nreturn x'),
      message: 'exit',
      confidence: 'high',
      fixed: v1('if not x:\n    raise ToolError("x is missing")\nreturn x').replace(
        'import FastMCP\n',
        'import FastMCP\nfrom mcp.server.fastmcp.exceptions import ToolError\n',
      ),
    },
    {
      name: 'process.exit in a tool',
      path: 'a.ts',
      text: ts('if (!x) {\n  «process.exit(1)»;\n}\nreturn ok();'),
      message: 'exit',
      confidence: 'high',
      fixed: ts('if (!x) {\n  throw new Error("f failed");\n}\nreturn ok();'),
    },
    {
      name: 'process.exit in a low-level handler',
      path: 'a.ts',
      text: lowTs('if (!ready) {\n  «process.exit(1)»;\n}\nreturn ok();'),
      message: 'exit',
      confidence: 'high',
      fixed: lowTs(
        'if (!ready) {\n  return { isError: true, content: [{ type: \'text\', text: "The tool failed" }] };\n}\nreturn ok();',
      ),
    },
    {
      name: 'what a tool calls',
      path: 'a.py',
      text: `${v1('return check(x)')}\ndef check(x):\n    if not x:\n        «os._exit(2)»\n    return x\n`,
      message: 'exit',
      confidence: 'medium',
    },
  ],
);
