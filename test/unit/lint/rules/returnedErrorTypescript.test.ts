import { returnedError } from '../../../../src/lint/rules/returnedError.ts';
import { testRule, ts } from './ruleTable.ts';

const text = (words: string) => `{ content: [{ type: "text", text: ${words} }] }`;
const flagged = (words: string) => `{ isError: true, content: [{ type: "text", text: ${words} }] }`;
/** A tool of that name which returns `words` when `x` is missing. */
const named = (name: string, words: string) =>
  `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nconst server = new McpServer({});\nserver.registerTool('${name}', { annotations: {} }, async ({ x }) => {\n  if (!x) {\n    return ${text(words)};\n  }\n  return ${text('x')};\n});\n`;
/** A module that another file registers. */
const shelf = (body: string) =>
  `export default {\n  name: "lend",\n  inputSchema: {},\n  handler: async ({ isbn }) => {\n${body}\n  },\n};\n`;
const lendOrTell = `    try {\n      return await lend(isbn);\n    } catch (error) {\n      «return { error: error.message };»\n    }`;

testRule(
  returnedError,
  [
    {
      name: 'a verdict of a validator',
      path: 'a.ts',
      text: ts(
        `if (!x.startsWith("9")) {\n  return ${text('JSON.stringify({ valid: false, error: "An ISBN starts with 9" })')};\n}\nreturn ok();`,
      ),
    },
    {
      name: 'a helper that is given what may tell that it failed',
      path: 'a.ts',
      text: ts(
        'import { toolResponse } from "./a.ts";\nif (!x) {\n  return toolResponse({ error: "x is required" });\n}\nreturn ok();',
      ),
    },
    {
      name: 'a helper that is given a flag beside the text',
      path: 'a.ts',
      text: ts('if (!x) {\n  return mcpResponse("Error: x is required", true);\n}\nreturn ok();'),
    },
    {
      name: 'what was done, though words of trouble follow',
      path: 'a.ts',
      text: ts(
        `if (x) {\n  return ${text('`Loan of "$' + '{x}" started.\\n\\nExpected return: none`')};\n}\nreturn ok();`,
      ),
    },
    {
      name: 'what was done, said first',
      path: 'a.ts',
      text: ts(
        `if (x) {\n  return ${text('`Disconnected. The session $' + '{x} is no longer valid.`')};\n}\nreturn ok();`,
      ),
    },
    {
      name: 'a state that a tool was asked for',
      path: 'a.ts',
      text: named('auth-status', '"Not authenticated. Run setup."'),
    },
    {
      name: 'what a tool that checks has found',
      path: 'a.ts',
      text: named('validate_syntax', '"\u{274c} Syntax errors found:\\n1. Line 3"'),
    },
    {
      name: 'what stands for a value that is not there',
      path: 'a.ts',
      text: ts(`const url = x.url ?? "(unknown url)";\nreturn ${text('url')};`),
    },
    {
      name: 'a catch that says for information what was so before',
      path: 'a.ts',
      text: ts(
        `try {\n  await pin(x);\n} catch (e) {\n  if (e.message.includes("already")) {\n    return ${text('"\u{2139}\u{fe0f} The book is pinned as it is"')};\n  }\n  throw e;\n}\nreturn ok();`,
      ),
    },
    {
      name: 'an empty shelf under the name of it',
      path: 'a.ts',
      text: ts(
        `if (x.books.length === 0) {\n  return ${text('`Collection: $' + '{x.name}\n\nThis collection is empty (no books yet).`')};\n}\nreturn ok();`,
      ),
    },
    {
      name: 'a result within what a function gives to its caller, who makes the answer',
      path: 'a.ts',
      text: `import { CallToolRequestSchema, type ToolResponse } from "@modelcontextprotocol/sdk/types.js";\nimport { respondUserError } from "./a.ts";\nserver.setRequestHandler(CallToolRequestSchema, async (request) => dispatch(request));\nexport async function find({ isbn }: Args): Promise<{ error: ToolResponse } | { book: Book }> {\n  const book = await shelf.find(isbn);\n  if (!book) {\n    return { error: respondUserError("This book was not found", { status: 404 }) };\n  }\n  return { book };\n}\n`,
    },
    {
      name: 'a function that makes errors of what it is given, declared as a result',
      path: 'a.ts',
      text: `export function createErrorResponse(error: Error): CallToolResult {\n  const response = ${text('`Error: $' + '{error.message}`')};\n  return hints ? withHints(response) : response;\n}\n`,
    },
  ],
  [
    {
      name: 'a tool of a module without any mark of MCP but its schema',
      path: 'a.ts',
      text: shelf(lendOrTell),
      message: 'object',
      confidence: 'high',
    },
    {
      name: 'a function that is declared to give back results, through a helper elsewhere',
      path: 'a.ts',
      text: 'import { McpResponse } from "./a.ts";\nexport const lend = async (args: Args): Promise<CallToolResult> => {\n  if (!args.isbn) {\n    «return McpResponse(JSON.stringify({ error: "No isbn" }));»\n  }\n  return shelf.lend(args);\n};\n',
      message: 'object',
      confidence: 'high',
      fixed:
        'import { McpResponse } from "./a.ts";\nexport const lend = async (args: Args): Promise<CallToolResult> => {\n  if (!args.isbn) {\n    return { ...McpResponse(JSON.stringify({ error: "No isbn" })), isError: true };\n  }\n  return shelf.lend(args);\n};\n',
    },
    {
      name: 'a guard of a function that gives back results and that nothing here registers',
      path: 'a.ts',
      text: `export async function lend({ isbns }: Args): Promise<CallToolResult> {\n  if (isbns.length === 0) {\n    «return ${text('"No books provided."')};»\n  }\n  return run(() => shelf.lend(isbns));\n}\n`,
      message: 'guard',
      confidence: 'medium',
      isSafe: true,
      fixed: `export async function lend({ isbns }: Args): Promise<CallToolResult> {\n  if (isbns.length === 0) {\n    return ${flagged('"No books provided."')};\n  }\n  return run(() => shelf.lend(isbns));\n}\n`,
    },
    {
      name: 'a call of what makes errors, also of one that may do more',
      path: 'a.ts',
      text: `class Shelf {\n  createErrorResponse(error) {\n    const response = ${text('`Error: $' + '{error.message}`')};\n    return this.hints ? withHints(response) : response;\n  }\n  async lend(args): Promise<CallToolResult> {\n    try {\n      return await this.find(args);\n    } catch (error) {\n      «return this.createErrorResponse(error);»\n    }\n  }\n}\n`,
      message: 'helper',
      confidence: 'high',
    },
    {
      name: 'what was caught, told by a helper',
      path: 'a.ts',
      text: `${ts('try {\n  return await lend(x);\n} catch (e) {\n  «return fallback("lend", e.message);»\n}')}function fallback(tool, details) {\n  return ${text('`$' + '{tool} in plain mode: $' + '{details}`')};\n}\n`,
      message: 'caught',
      confidence: 'high',
      isSafe: true,
      fixed: `${ts('try {\n  return await lend(x);\n} catch (e) {\n  return { ...fallback("lend", e.message), isError: true };\n}')}function fallback(tool, details) {\n  return ${text('`$' + '{tool} in plain mode: $' + '{details}`')};\n}\n`,
    },
    {
      name: 'a table of handlers beside the definitions of their tools',
      path: 'a.js',
      text: `const definitions = [{ name: "lend", inputSchema: {} }];\nconst handlers = {\n  lend: async (args) => {\n    if (!open) {\n      «return ${text('"The shelf is not open. Call unlock first."')};»\n    }\n    return shelf.lend(args);\n  },\n};\nmodule.exports = { definitions, handlers };\n`,
      message: 'guard',
      confidence: 'medium',
      isSafe: true,
      fixed: `const definitions = [{ name: "lend", inputSchema: {} }];\nconst handlers = {\n  lend: async (args) => {\n    if (!open) {\n      return ${flagged('"The shelf is not open. Call unlock first."')};\n    }\n    return shelf.lend(args);\n  },\n};\nmodule.exports = { definitions, handlers };\n`,
    },
    {
      name: 'handlers that are set by the names of their tools',
      path: 'a.ts',
      text: 'class Shelf {\n  tool = { name: "lend", inputSchema: {} };\n  init() {\n    this.handlers.set("lend", this.lend.bind(this));\n  }\n  async lend(args) {\n    if (!args.isbn) {\n      «return "Missing required argument: isbn";»\n    }\n    return this.client.lend(args.isbn);\n  }\n}\n',
      message: 'guard',
      confidence: 'medium',
    },
    {
      name: 'handlers in a map under the names of their tools',
      path: 'a.ts',
      text: 'const tools = [{ name: "lend", inputSchema: {} }];\nconst handlers = new Map([["lend", lend]]);\nasync function lend(args) {\n  if (!args.isbn) {\n    «return "Missing required argument: isbn";»\n  }\n  return client.lend(args.isbn);\n}\n',
      message: 'guard',
      confidence: 'medium',
    },
    {
      name: 'the error of what did not succeed, among others',
      path: 'a.ts',
      text: ts(
        `const found = await find(x);\nif (!found.success) {\n  «return ${text('JSON.stringify({ error: found.error, kind: found.kind, near: found.near, hint: found.hint })')};»\n}\nreturn ok();`,
      ),
      message: 'object',
      confidence: 'medium',
      isSafe: true,
      fixed: ts(
        `const found = await find(x);\nif (!found.success) {\n  return ${flagged('JSON.stringify({ error: found.error, kind: found.kind, near: found.near, hint: found.hint })')};\n}\nreturn ok();`,
      ),
    },
    {
      name: 'one thing that was named and is not there',
      path: 'a.ts',
      text: ts(`if (!x.shelf) {\n  «return ${text('`No shelf "$' + '{x.name}" found.`')};»\n}\nreturn ok();`),
      message: 'guard',
      confidence: 'medium',
      isSafe: true,
      fixed: ts(`if (!x.shelf) {\n  return ${flagged('`No shelf "$' + '{x.name}" found.`')};\n}\nreturn ok();`),
    },
    {
      name: 'data of tools whose flag tells only whether there is such a tool',
      path: 'a.ts',
      text: `const tools = [{ name: "lend", inputSchema: {} }];\nconst lend = async (args) => {\n  if (!args.isbn) {\n    «return JSON.stringify({ error: "ISBN is required" });»\n  }\n  return client.lend(args.isbn);\n};\nserver.setRequestHandler(CallToolRequestSchema, async (request) => {\n  const { name, arguments: args } = request.params;\n  const handlers = { lend: () => lend(args) };\n  const text = handlers[name] ? await handlers[name]() : "";\n  return { content: [{ type: "text", text }], isError: !handlers[name] };\n});\n`,
      message: 'object',
      confidence: 'high',
    },
    {
      name: 'what is not there yet',
      path: 'a.ts',
      text: ts(
        `switch (x) {\n  case "loans":\n    return ok();\n  default:\n    «return ${text('JSON.stringify({ message: `Counting $' + '{x} is not yet implemented` })')};»\n}`,
      ),
      message: 'guard',
      confidence: 'medium',
      isSafe: true,
      fixed: ts(
        `switch (x) {\n  case "loans":\n    return ok();\n  default:\n    return ${flagged('JSON.stringify({ message: `Counting $' + '{x} is not yet implemented` })')};\n}`,
      ),
    },
    {
      name: 'a tool whose key is its name',
      path: 'a.ts',
      text: 'import { toText } from "./a.ts";\nimport type { McpServer } from "./b.ts";\nexport const tools = {\n  lend: {\n    description: "Lends.",\n    schema: {},\n    handler: async ({ isbn }) => {\n      const book = await find(isbn);\n      if (!book) {\n        «return toText({ error: "Book not found" });»\n      }\n      return toText(book);\n    },\n  },\n};\n',
      message: 'object',
      confidence: 'high',
      fixed:
        'import { toText } from "./a.ts";\nimport type { McpServer } from "./b.ts";\nexport const tools = {\n  lend: {\n    description: "Lends.",\n    schema: {},\n    handler: async ({ isbn }) => {\n      const book = await find(isbn);\n      if (!book) {\n        return { ...toText({ error: "Book not found" }), isError: true };\n      }\n      return toText(book);\n    },\n  },\n};\n',
    },
    {
      name: 'what is missing, without a verb',
      path: 'a.ts',
      text: ts(`if (!x) {\n  «return ${text('"shelf_id required"')};»\n}\nreturn ok();`),
      message: 'guard',
      confidence: 'medium',
      isSafe: true,
      fixed: ts(`if (!x) {\n  return ${flagged('"shelf_id required"')};\n}\nreturn ok();`),
    },
    {
      name: 'a checklist, which checks nothing',
      path: 'a.ts',
      text: named('update-checklist', '"No properties provided."').replace(/return (.*provided.*);/, '«return $1;»'),
      message: 'guard',
      confidence: 'medium',
      isSafe: true,
      fixed: named('update-checklist', '"No properties provided."').replace(
        text('"No properties provided."'),
        flagged('"No properties provided."'),
      ),
    },
    {
      name: 'an error that may be empty, only when all is wanted',
      path: 'a.ts',
      text: ts(
        `let warning;\nif (x.message) {\n  warning = x.message;\n}\nif (x.results) {\n  «return ${text('JSON.stringify({ results: x.results, error: warning ?? null })')};»\n}\nreturn ok();`,
      ),
      message: 'object',
      confidence: 'low',
      isSafe: true,
      fixed: ts(
        `let warning;\nif (x.message) {\n  warning = x.message;\n}\nif (x.results) {\n  return ${flagged('JSON.stringify({ results: x.results, error: warning ?? null })')};\n}\nreturn ok();`,
      ),
    },
  ],
);
