/**
 * A bookshop. Half of its tools hide their failures (FL001), the other half does not.
 *
 * Run it with: npm install @modelcontextprotocol/sdk@1 zod && node server.ts
 */
import { readFile } from 'node:fs/promises';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'bookshop-typescript', version: '1.0.0' });

const authors = new Map([
  ['Dune', 'Frank Herbert'],
  ['Foundation', 'Isaac Asimov'],
  ['Neuromancer', 'William Gibson'],
]);

/** Tells clients that a call may be repeated. */
const reads = { readOnlyHint: true };

const text = (value: string) => ({ type: 'text' as const, text: value });

// --- These tools tell their failures in the text alone: the model takes them for answers. ---

server.registerTool(
  'get_author',
  { description: 'The author of a book, by its exact title.', inputSchema: { title: z.string() } },
  async ({ title }) => {
    const author = authors.get(title);
    if (author === undefined) {
      return { content: [{ type: 'text', text: `Error: no book titled '${title}'` }] };
    }
    return { content: [{ type: 'text', text: author }] };
  },
);

server.registerTool(
  'read_orders',
  { description: 'The orders in a file.', inputSchema: { path: z.string() } },
  async ({ path }) => {
    try {
      return { content: [{ type: 'text', text: await readFile(path, 'utf8') }] };
    } catch (error) {
      return { content: [{ type: 'text', text: `Failed to read orders: ${String(error)}` }] };
    }
  },
);

// --- These do the same and say so: `isError`, or a thrown error that the SDK turns into it. Annotated, they may be repeated. ---

server.registerTool(
  'get_author_safely',
  {
    description: 'The author of a book, by its exact title.',
    inputSchema: { title: z.string() },
    annotations: reads,
  },
  async ({ title }) => {
    const author = authors.get(title);
    if (author === undefined) {
      return { content: [text(`No book is titled '${title}'. Use search_books to find it.`)], isError: true };
    }
    return { content: [text(author)] };
  },
);

server.registerTool(
  'read_orders_safely',
  { description: 'The orders in a file.', inputSchema: { path: z.string() }, annotations: reads },
  async ({ path }) => {
    try {
      return { content: [text(await readFile(path, 'utf8'))] };
    } catch (error) {
      throw new Error(`Cannot read ${path}`, { cause: error });
    }
  },
);

server.registerTool(
  'search_books',
  {
    description: 'Titles that contain the query. Finding none is an answer, not a failure.',
    inputSchema: { query: z.string() },
    annotations: reads,
  },
  async ({ query }) => {
    const found = [...authors.keys()].filter((title) => title.toLowerCase().includes(query.toLowerCase()));
    return { content: [text(found.length === 0 ? 'No books found' : found.join(', '))] };
  },
);

await server.connect(new StdioServerTransport());
