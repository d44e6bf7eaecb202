// What a replay is tried on. argv 2: a folder in which each execution of a tool adds a line to a file of the tool's name, so that
// one that was never sent is known by its absence. argv 3: how often `lookup` fails, over all processes, before it works.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { send, serve, textResult } from './support/stdioServer.mjs';

const [, , folder = '.', failures = '2'] = process.argv;

/** Writes down that a tool was executed; gives how often it has been by now. */
function executed(tool, args) {
  const file = path.join(folder, tool);
  appendFileSync(file, `${process.pid} ${JSON.stringify(args ?? {})}\n`);
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
}

const failed = (id, text) => ({ ...textResult(id, text), result: { ...textResult(id, text).result, isError: true } });

const tools = {
  /** Fails at first, and says that it only reads. */
  lookup: (id, args) => {
    const count = executed('lookup', args);
    return count <= Number(failures) ? failed(id, `the catalogue is busy (${count})`) : textResult(id, 'found it');
  },
  /** Changes something, and says nothing of what that means: it fails for a book that there is not. */
  order: (id, args) => {
    executed('order', args);
    return args?.title === 'Dune' ? textResult(id, `ordered ${args.quantity}`) : failed(id, 'no such book');
  },
  /** Says which process answers, and when. */
  whoami: (id, args) => {
    executed('whoami', args);
    const structuredContent = { pid: process.pid, checkedAt: new Date().toISOString() };
    return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'me' }], structuredContent } };
  },
  /** Never answers. */
  hang: (_id, args) => {
    executed('hang', args);
    return undefined;
  },
};

const definitions = [
  {
    name: 'lookup',
    inputSchema: { type: 'object', properties: { isbn: { type: 'string' } }, required: ['isbn'] },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'order',
    inputSchema: {
      type: 'object',
      properties: {
        title: { type: 'string', description: 'Exact title' },
        quantity: { type: 'integer', minimum: 1, description: 'Copies' },
      },
      required: ['title', 'quantity'],
    },
  },
  { name: 'whoami', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  { name: 'hang', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
];

serve({
  onRequest: ({ id, method }) => {
    if (method === 'tools/list') {
      send({ jsonrpc: '2.0', id, result: { tools: definitions } });
    }
    return method === 'tools/list';
  },
  onCall: ({ id, params }) => {
    const answer = tools[params.name]?.(id, params.arguments);
    if (answer !== undefined) {
      send(answer);
    }
  },
});
