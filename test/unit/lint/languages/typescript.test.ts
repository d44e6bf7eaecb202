import { afterAll, describe, expect, it } from 'vitest';
import { engine, findingsIn, linesIn, markedLines } from '../lintText.ts';

afterAll(() => engine.dispose());

const result = '{ content: [{ type: "text", text: "Error: no" }] }';
const body = `{\n  return ${result}; // <- here\n}`;
const fn = `async (args) => ${body}`;

/** Each text marks the lines of its findings. */
const registrations: readonly [string, string, string?][] = [
  ['tool', `server.tool("a", "does a", {}, ${fn});`],
  [
    'registerTool of a member',
    `class S { server = new McpServer({}); init() { this.server.registerTool("a", {}, ${fn}); } }`,
  ],
  ['a function expression', `server.tool("a", {}, async function (args) ${body});`],
  ['a name', `const handler = ${fn};\nserver.registerTool("a", {}, handler);`],
  ['a method', `class S { constructor(s) { s.tool("a", {}, this.run); }\nasync run(args) ${body} }`],
  ['a bound method', `class S { constructor(s) { s.tool("a", {}, this.run.bind(this)); }\nasync run(args) ${body} }`],
  ['a wrapper', `server.tool("a", {}, withLog(${fn}));`],
  [
    'a wrapper in sight',
    `const wrap = (run) => async (args) => {\n  try { return await run(args); } catch (e) { return ${result}; } // <- here\n};\nserver.tool("a", {}, wrap(async () => go()));`,
  ],
  [
    'addTool of an object',
    `import { FastMCP } from "fastmcp";\nnew FastMCP({}).addTool({ name: "a", execute: async () => {\n  return "Error: no"; // <- here\n} });`,
  ],
  ['an object with a schema', `export const tool = { name: "a", inputSchema: {}, handler: ${fn} };`],
  ['a method of an object', `export const tool = { name: "a", parameters: {}, async execute(args) ${body} };`],
  ['a helper that registers', `registerAppTool(server, "a", {}, ${fn});`],
  ['a request handler', `server.setRequestHandler(CallToolRequestSchema, ${fn});`],
  ['a request handler by its method', `server.setRequestHandler("tools/call", ${fn});`],
  [
    'a switch into functions',
    `server.setRequestHandler(CallToolRequestSchema, async (r) => {\n  switch (r.params.name) {\n    case "a": return await runA(r);\n    default: throw new Error("no");\n  }\n});\nasync function runA(args) {\n  if (!args.x) return ${result}; // <- here\n  return { content: [{ type: "text", text: args.x }] };\n}`,
  ],
  [
    'a table of functions',
    `const table = { a: runA };\nserver.setRequestHandler(CallToolRequestSchema, async (r) => table[r.params.name](r));\nasync function runA(args) {\n  if (!args.x) return ${result}; // <- here\n  return ok(args);\n}`,
  ],
  [
    'a class of a framework',
    `import { MCPTool } from "mcp-framework";\nexport default class A extends MCPTool { name = "a"; async execute(input) {\n  return "Error: no"; // <- here\n} }`,
  ],
  [
    'a default export of xmcp',
    `import { type ToolMetadata } from "xmcp";\nexport const metadata: ToolMetadata = { name: "a" };\nexport default async function a(args) {\n  return "Error: no"; // <- here\n}`,
  ],
  ['a decorator', `class T { @Tool({ name: "a" })\nasync a() {\n  return "Error: no"; // <- here\n} } // McpServer`],
  [
    'a function in another file, by its shape',
    `export async function runA(args) {\n  if (!args.x) return ${result}; // <- here\n  return { content: [{ type: "text", text: args.x }] };\n}`,
  ],
  ['a prompt', `server.prompt("a", {}, async () => (${result}));`],
  ['a resource', `server.registerResource("a", "x://a", {}, async () => (${result}));`],
  [
    'another request',
    `server.setRequestHandler(ReadResourceRequestSchema, async () => ({ contents: [{ text: "Error: no" }] })); // McpServer`,
  ],
];

const values: readonly [string, string][] = [
  ['a flag', 'return { content: [{ type: "text", text: "Error: no" }], isError: true };'],
  ['a flag before the content', 'return { isError: true, content: [{ type: "text", text: "Error: no" }] };'],
  ['a flag that is passed on', 'return { content: r.content, isError: r.isError };'],
  ['a flag that is computed', 'return { content: [{ type: "text", text: "Error: no" }], isError: !ok };'],
  [
    'a flag set later',
    'const r = { content: [{ type: "text", text: "Error: no" }] };\n  r.isError = true;\n  return r;',
  ],
  ['a flag in a spread', 'return { ...failed, content: [{ type: "text", text: "Error: no" }] };'],
  [
    'a flag in a block, where it does nothing',
    'return { content: [{ type: "text", text: "Error: no", isError: true }] }; // <- here',
  ],
  ['a flag that is false', 'return { content: [{ type: "text", text: "Error: no" }], isError: false }; // <- here'],
  ['a result in a variable', 'const r = { content: [{ type: "text", text: "Error: no" }] };\n  return r; // <- here'],
  ['a template', 'return { content: [{ type: "text", text: "Failed to run " + x }] }; // <- here'],
  ['a cast', 'return { content: [{ type: "text" as const, text: "Error: no" }] } as Result; // <- here'],
  ['structured content', 'return { content: [], structuredContent: { success: false, error: "no" } }; // <- here'],
  ['JSON', 'return { content: [{ type: "text", text: JSON.stringify({ error: "no" }, null, 2) }] }; // <- here'],
  [
    'a catch without a name',
    'try { return await go(); } catch {\n    return { content: [{ type: "text", text: "that went wrong" }] }; // <- here\n  }',
  ],
  [
    'a rejected promise',
    'return go().then((r) => r).catch((e) => ({ content: [{ type: "text", text: "Error: " + e }] })); // <- here',
  ],
  [
    'a guarded text',
    'if (!x) return { content: [{ type: "text", text: "x is required" }] }; // <- here\n  return ok();',
  ],
  [
    'the second block',
    'return { content: [{ type: "text", text: "Answer of x" }, { type: "text", text: "Error: no" }] }; // <- here',
  ],
  [
    'a message that was caught',
    'try { return await go(); } catch (e) {\n    const m = e instanceof Error ? e.message : String(e);\n    return { content: [{ type: "text", text: m }] }; // <- here\n  }',
  ],
  ['a helper that sets the flag', 'return flagged("no");'],
  ['a helper that does not', 'return plainError("no such x"); // <- here'],
  ['a helper with the flag as a parameter', 'return answer("Error: no", true);'],
  ['an imported helper', 'try { return await go(); } catch (e) { return toolError(e); }'],
  [
    'an empty list',
    'if (xs.length === 0) return { content: [{ type: "text", text: "You have no saved tracks" }] };\n  return ok();',
  ],
  ['a success sign', 'return { content: [{ type: "text", text: "\u{2705} Error report sent" }] };'],
];

describe('handlers in TypeScript', () => {
  it.each(registrations)('%s', async (_, text) => {
    expect(await linesIn('server.ts', text)).toEqual(markedLines(text));
  });

  it.each(['server.js', 'server.mjs', 'server.jsx', 'server.tsx'])('in %s', async (file) => {
    const text = `const { McpServer } = require("@modelcontextprotocol/sdk/server/mcp.js");\nconst server = new McpServer({});\nserver.tool("a", {}, ${fn});\nmodule.exports = { server };\n`;
    const found = await findingsIn(file, text);
    expect(found.map(({ range, sdk, tools }) => [range.startLine + 1, sdk, tools])).toEqual([
      [4, 'ts-mcpserver-v1', ['a']],
    ]);
  });

  it.each([
    [
      'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\nconst s = new McpServer({});',
      'ts-mcpserver-v1',
    ],
    ['import { McpServer as M } from "@modelcontextprotocol/server";\nconst s = new M({});', 'ts-mcpserver-v2'],
    ['import type { McpServer } from "@modelcontextprotocol/server";\nfunction f(s: McpServer) {}', 'ts-mcpserver-v2'],
    ['', 'unknown'],
  ])('tell the SDK of %j', async (head, sdk) => {
    const found = await findingsIn('server.ts', `${head}\ns.tool("a", {}, ${fn});\n`);
    expect(found.map((finding) => finding.sdk)).toEqual([sdk]);
  });
});

describe('values in TypeScript', () => {
  const helpers = `function flagged(m) { return { isError: true, content: [{ type: "text", text: m }] }; }
function plainError(m) { return { content: [{ type: "text", text: m }] }; }
function answer(m, isError) { return { content: [{ type: "text", text: m }], isError }; }
`;

  it.each(values)('%s', async (_, code) => {
    const text = `${helpers}server.tool("do_it", {}, async (x) => {\n  ${code}\n});\n`;
    expect(await linesIn('server.ts', text)).toEqual(markedLines(text));
  });
});

describe('imports in TypeScript', () => {
  const main = (line: string) =>
    `${line}\nserver.tool("a", {}, async () => {\n  try { return await go(); } catch (e) { return fail(e); }\n});\n`;
  const files: Readonly<Record<string, string>> = {
    '/p/src/plain.ts': `export const fail = (e) => ({ content: [{ type: "text", text: String(e) }] });`,
    '/p/src/flagged.ts':
      'export function fail(e) { return { isError: true, content: [{ type: "text", text: String(e) }] }; }',
    '/p/lib/index.ts': 'export default function (e) { return { content: [{ type: "text", text: "Error: " + e }] }; }',
  };
  const readFile = (path: string) => Promise.resolve(files[path]);

  it.each([
    ['import { fail } from "./plain.js";', [3]],
    ['import { fail } from "./plain";', [3]],
    ['import { fail } from "./flagged.js";', []],
    ['import fail from "../lib";', [3]],
    ['import { fail } from "./missing.js";', []],
    ['import { fail } from "package";', []],
  ])('%s', async (line, expected) => {
    expect(await linesIn('/p/src/server.ts', main(line), { readFile })).toEqual(expected);
  });
});
