// Last finding: 1.9 to 2.0 on a shared two-core machine (1.8 over 73 public servers). Copying the tree costs half a parse;
// lowering, following and judging the other half. Tiny files are the dearest: 2.3.
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Language, Parser } from 'web-tree-sitter';
import { systemClock } from '../../src/base/systemClock.ts';
import { type LintDocument, LintEngine, languageOf } from '../../src/lint/engine.ts';
import { frontEnds } from '../../src/lint/languages/frontEnd.ts';
import { type BenchResult, ratioOf, rounded } from './bench.ts';

const GOAL = 2;
const WARM_ROUNDS = 60;
const root = path.resolve(import.meta.dirname, '../..');

const load = (file: string) =>
  readFile(
    path.join(
      root,
      'node_modules',
      file === 'web-tree-sitter.wasm' ? 'web-tree-sitter' : '@vscode/tree-sitter-wasm/wasm',
      file,
    ),
  );

/** The lint's whole time by the bare parse of the same files: the fixtures and a server of 1,000 lines a language. */
export async function lintParse(): Promise<BenchResult[]> {
  const documents = [...fixtures(), generated('server.py', pythonTool), generated('server.ts', typescriptTool)];
  const parsers = await parsersFor(documents);
  // Work is measured, not the pauses in which it gives way to others.
  const engine = new LintEngine({ load }, { ...systemClock, sleep: () => Promise.resolve('elapsed') });
  let round = 0;
  const lintAll = async () => {
    round++;
    const start = performance.now();
    for (const document of documents) {
      // A path of its own each time: an incremental parse would flatter us.
      await engine.lint({ ...document, path: `${round}/${document.path}` }, { confidence: 'medium' });
    }
    return performance.now() - start;
  };
  const parseAll = () => {
    const start = performance.now();
    for (const { text, languageId } of documents) {
      parsers.get(frontEnds[languageId].grammar)?.parse(text)?.delete();
    }
    return performance.now() - start;
  };
  // An editor's host lives for hours: measure code that is compiled, as the parser's always is.
  for (let warm = 0; warm < WARM_ROUNDS; warm++) {
    await lintAll();
  }
  const { ours, baseline, ratio } = await ratioOf(lintAll, parseAll, 31);
  engine.dispose();
  return [
    {
      name: 'lint.vsParse',
      value: rounded(ours),
      unit: 'ms',
      baseline: rounded(baseline),
      ratio: rounded(ratio),
      goal: `≤ ${GOAL}`,
      ok: ratio <= GOAL,
    },
  ];
}

function fixtures(): LintDocument[] {
  const folder = path.join(root, 'test/fixtures/lint/shapes');
  return readdirSync(folder).flatMap((file) => {
    const languageId = languageOf(file);
    return languageId === undefined
      ? []
      : [{ path: file, text: readFileSync(path.join(folder, file), 'utf8'), languageId }];
  });
}

async function parsersFor(documents: readonly LintDocument[]): Promise<Map<string, Parser>> {
  await Parser.init({ wasmBinary: await load('web-tree-sitter.wasm') });
  const parsers = new Map<string, Parser>();
  for (const { languageId } of documents) {
    const { grammar } = frontEnds[languageId];
    if (!parsers.has(grammar)) {
      const language = await Language.load(await load(`tree-sitter-${grammar}.wasm`));
      parsers.set(grammar, new Parser().setLanguage(language));
    }
  }
  return parsers;
}

function generated(file: string, tool: (index: number) => string): LintDocument {
  const languageId = languageOf(file);
  if (languageId === undefined) {
    throw new Error(`No language for ${file}`);
  }
  const header = languageId === 'python' ? PYTHON_HEADER : TYPESCRIPT_HEADER;
  const parts = [header];
  for (let lines = header.split('\n').length, index = 0; lines < 1000; index++) {
    const part = tool(index);
    parts.push(part);
    lines += part.split('\n').length - 1;
  }
  return { path: file, text: parts.join(''), languageId };
}

const PYTHON_HEADER = 'from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP("bench")\n';
const TYPESCRIPT_HEADER =
  'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\nimport { z } from "zod";\n\nconst server = new McpServer({ name: "bench", version: "1.0.0" });\n';

/** About as long, as wordy and as careful as tools of public servers are: one hidden failure in thirty lines. */
const pythonTool = (index: number) => `

@mcp.tool()
async def tool_${index}(name: str, count: int = 10, include_archived: bool = False) -> dict:
    """Lists the things that belong to one owner, newest first.

    Args:
        name: The owner's name as it is shown in the interface, not the internal identifier.
        count: How many things to return at most. Values above 100 are cut to 100.
        include_archived: Whether things that were archived are listed as well.

    Returns:
        A dictionary with the number of things and the things themselves, each with its tags.
    """
    if not name:
        raise ValueError("name must not be empty")
    params = {"limit": min(count, 100), "archived": str(include_archived).lower()}
    try:
        rows = await client.fetch(f"/things/{name}", params=params)
    except TimeoutError as exc:
        logger.error("fetching %s took too long: %s", name, exc)
        return {"success": False, "message": f"Timed out: {exc}"}
    items = []
    for row in sorted(rows, key=lambda candidate: candidate["created"], reverse=True):
        if row.get("archived") and not include_archived:
            continue
        items.append({"id": row["id"], "title": row.get("title", ""), "tags": row["tags"][:5]})
    total = sum(len(item["tags"]) for item in items)
    logger.info("found %d things of %s with %d tags", len(items), name, total)
    return {"success": True, "count": len(items), "items": items}
`;

const typescriptTool = (index: number) => `
server.registerTool(
  "tool_${index}",
  {
    title: "List things",
    description:
      "Lists the things that belong to one owner, newest first. Things that were archived are left out unless asked for.",
    inputSchema: {
      name: z.string().describe("The owner's name as it is shown in the interface, not the internal identifier"),
      count: z.number().int().min(1).max(100).default(10).describe("How many things to return at most"),
      includeArchived: z.boolean().optional().describe("Whether archived things are listed as well"),
    },
    annotations: { readOnlyHint: true },
  },
  async ({ name, count, includeArchived }) => {
    if (name.trim() === "") {
      throw new Error("name must not be empty");
    }
    try {
      const rows = await client.fetch(\`/things/\${encodeURIComponent(name)}\`, { limit: count });
      const items = rows
        .filter((row) => includeArchived || !row.archived)
        .sort((a, b) => b.created - a.created)
        .map((row) => ({ id: row.id, title: row.title ?? "", tags: row.tags.slice(0, 5) }));
      console.error(\`found \${items.length} things of \${name}\`);
      return { content: [{ type: "text", text: JSON.stringify({ count: items.length, items }, null, 2) }] };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { content: [{ type: "text", text: \`Failed to fetch \${name}: \${message}\` }] };
    }
  },
);
`;
