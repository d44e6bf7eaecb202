import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type LintDocument, languageOf } from '../../src/lint/engine.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Reads grammars from where npm put them, as the build copies them. */
export const loadGrammar = (file: string): Promise<Uint8Array> =>
  readFile(
    path.join(
      root,
      'node_modules',
      file === 'web-tree-sitter.wasm' ? 'web-tree-sitter' : '@vscode/tree-sitter-wasm/wasm',
      file,
    ),
  );

/** A server of about as many lines, in the language of the file's ending; `seed` makes it another one. */
export function generatedServer(file: string, lineCount: number, seed = 0): LintDocument {
  const languageId = languageOf(file);
  if (languageId === undefined) {
    throw new Error(`No language for ${file}`);
  }
  const [header, tool] = languageId === 'python' ? [PYTHON_HEADER, pythonTool] : [TYPESCRIPT_HEADER, typescriptTool];
  const parts = [header];
  for (let lines = header.split('\n').length, index = seed; lines < lineCount; index++) {
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
