import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/base/systemClock.ts';
import { formatText } from '../../../../src/base/text.ts';
import { languageOf } from '../../../../src/lint/engine.ts';
import { frontEnds } from '../../../../src/lint/languages/frontEnd.ts';
import { Pacer } from '../../../../src/lint/pacer.ts';
import type { Rule } from '../../../../src/lint/rules/rule.ts';
import { TreeSitter } from '../../../../src/lint/treeSitter.ts';
import type { Confidence, Finding, SourceRange } from '../../../../src/protocol/finding.ts';
import { TEXTS } from '../../../../src/protocol/texts.ts';
import { applyFix } from '../applyFix.ts';
import { allFindingsIn, engine } from '../lintText.ts';
import { grammars } from '../support.ts';

export interface ValidCase {
  readonly name: string;
  /** The path tells the language. */
  readonly path: string;
  readonly text: string;
}

export interface InvalidCase extends ValidCase {
  /** Stretches between « and » are the findings, in order. */
  readonly text: string;
  /** The message of each finding, by the rule's own name for it; one for all. */
  readonly message: string;
  readonly confidence: Confidence;
  /** The text after the preferred fix of the first finding; undefined when there is none. */
  readonly fixed?: string;
  readonly isSafe?: boolean;
}

const parser = TreeSitter.create((file) => grammars.load(file));
const pacer = new Pacer(systemClock, () => false);

/** Holds a rule by tables: what it must leave alone, and what it must find, where, how sure, and mended how. */
export function testRule(rule: Rule, valid: readonly ValidCase[], invalid: readonly InvalidCase[]): void {
  afterAll(async () => {
    engine.dispose();
    (await parser).dispose();
  });

  const findingsIn = async (path: string, text: string): Promise<readonly Finding[]> =>
    (await allFindingsIn(path, text, { confidence: 'low' })).filter((finding) => finding.rule === rule.meta.code);

  describe(`${rule.meta.code} leaves alone`, () => {
    it.each(valid)('$name', async ({ path, text }) => {
      expect(await findingsIn(path, text)).toEqual([]);
    });
  });

  describe(`${rule.meta.code} finds`, () => {
    it.each(invalid)('$name', async ({ path, text: marked, message, confidence, fixed, isSafe }) => {
      const { text, ranges } = unmarked(marked);
      const findings = await findingsIn(path, text);
      expect(findings.map((finding) => finding.range)).toEqual(ranges);
      for (const finding of findings) {
        expect({ message: finding.message, confidence: finding.confidence }).toEqual({
          message: rule.messages[message],
          confidence,
        });
        expect(formatText(TEXTS[finding.message] ?? '{none}', finding.args)).not.toMatch(/\{\w+\}/);
      }
      const fix = findings[0]?.fixes.find(({ isPreferred }) => isPreferred);
      expect(fix === undefined ? undefined : applyFix(text, fix)).toBe(fixed);
      expect(fix?.isSafe).toBe(fixed === undefined ? undefined : (isSafe ?? false));
    });
  });

  describe(`every fix of ${rule.meta.code}`, () => {
    it.each(invalid)('$name', async ({ path, text: marked }) => {
      const { text } = unmarked(marked);
      const all = await allFindingsIn(path, text, { confidence: 'low' });
      const count = (code: string, found: readonly Finding[]) => found.filter((it) => it.rule === code).length;
      for (const fix of all.filter((it) => it.rule === rule.meta.code).flatMap(({ fixes }) => fixes)) {
        const mended = applyFix(text, fix);
        expect(TEXTS[fix.title]).toBeTypeOf('string');
        expect(await isBroken(path, mended), mended).toBe(false);
        const after = await allFindingsIn(path, mended, { confidence: 'low' });
        expect(count(rule.meta.code, after), mended).toBeLessThan(count(rule.meta.code, all));
        expect(
          after.filter((it) => count(it.rule, after) > count(it.rule, all)),
          mended,
        ).toEqual([]);
      }
    });
  });
}

async function isBroken(path: string, text: string): Promise<boolean> {
  const language = languageOf(path);
  const tree =
    language === undefined
      ? undefined
      : await (await parser).parse({ path, text, grammar: frontEnds[language].grammar }, pacer);
  return tree?.hasError ?? true;
}

/** Takes the marks out of a text and gives the ranges that were between them. */
function unmarked(marked: string): { readonly text: string; readonly ranges: readonly SourceRange[] } {
  let text = '';
  const offsets: { start: number; end: number }[] = [];
  for (const part of marked.split(/([«»])/)) {
    if (part === '«') {
      offsets.push({ start: text.length, end: text.length });
    } else if (part === '»') {
      const last = offsets.at(-1);
      if (last !== undefined) {
        last.end = text.length;
      }
    } else {
      text += part;
    }
  }
  const at = (offset: number) => {
    const before = text.slice(0, offset).split('\n');
    return { line: before.length - 1, column: before.at(-1)?.length ?? 0 };
  };
  return {
    text,
    ranges: offsets.map(({ start, end }) => ({
      startLine: at(start).line,
      startColumn: at(start).column,
      endLine: at(end).line,
      endColumn: at(end).column,
    })),
  };
}

// -- beginnings of servers ---------------------------------------------------------------------------------------------

/** Python, FastMCP of SDK v1, with a tool `f(x)` whose body is given, each line indented by four. */
export const v1 = (body: string, decorator = '@mcp.tool()\ndef f(x: str):') =>
  `from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("a")\n\n${decorator}\n${indented(body, 4)}\n`;

/** The same for MCPServer of SDK v2. */
export const v2 = (body: string) =>
  `from mcp import MCPError\nfrom mcp.server import MCPServer\nmcp = MCPServer("a")\n\n@mcp.tool()\ndef f(x: str):\n${indented(body, 4)}\n`;

/** A low-level handler of Python's SDK v2. */
export const lowV2 = (body: string) =>
  `from mcp.server.lowlevel import Server\nimport mcp.types as types\n\nasync def call(ctx, params):\n${indented(body, 4)}\n\nserver = Server("a", on_call_tool=call)\n`;

/** TypeScript, McpServer of SDK v1, with a tool whose body is given, each line indented by two. */
export const ts = (body: string) =>
  `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\nconst server = new McpServer({ name: "a", version: "1" });\nserver.tool("f", { x: z.string() }, async ({ x }) => {\n${indented(body, 2)}\n});\n`;

/** A low-level handler of TypeScript's SDK v1. */
export const lowTs = (body: string) =>
  `import { Server } from "@modelcontextprotocol/sdk/server/index.js";\nimport { CallToolRequestSchema, ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";\nconst server = new Server({ name: "a", version: "1" });\nserver.setRequestHandler(CallToolRequestSchema, async (request) => {\n${indented(body, 2)}\n});\n`;

/** Go, mark3labs/mcp-go, with a handler whose body is given. */
export const go = (body: string) =>
  `package main\n\nimport (\n\t"context"\n\t"errors"\n\n\t"github.com/mark3labs/mcp-go/mcp"\n)\n\nfunc f(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {\n${body
    .split('\n')
    .map((line) => `\t${line}`)
    .join('\n')}\n}\n`;

function indented(body: string, by: number): string {
  return body
    .split('\n')
    .map((line) => (line === '' ? line : `${' '.repeat(by)}${line}`))
    .join('\n');
}
