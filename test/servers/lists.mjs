// Lists tools, resources, templates and prompts over pages. argv: "bad-page" (the second page fails), "bad-item" (one item of
// each list is malformed), "loop" (the cursor leads back), "bad-cursor" (every cursor is refused once), "slow" (a page fails
// once with -32603 and can be read then).
import process from 'node:process';
import { send, serve } from './support/stdioServer.mjs';

const how = process.argv[2] ?? '';
const items = {
  'tools/list': ['tools', (name) => ({ name, inputSchema: { type: 'object' } })],
  'resources/list': ['resources', (name) => ({ uri: `test:///${name}`, name })],
  'resources/templates/list': ['resourceTemplates', (name) => ({ uriTemplate: `test:///${name}/{id}`, name })],
  'prompts/list': ['prompts', (name) => ({ name, arguments: [{ name: 'a', required: true }] })],
};
const refusals = new Map();
serve({
  onRequest: ({ id, method, params }) => {
    if (method === 'initialize') {
      const capabilities = { tools: { listChanged: true }, resources: {}, prompts: {} };
      const serverInfo = { name: 'lists', version: '1.0.0' };
      send({ jsonrpc: '2.0', id, result: { protocolVersion: params.protocolVersion, capabilities, serverInfo } });
      return true;
    }
    const listed = items[method];
    if (listed === undefined) {
      return false;
    }
    const [member, make] = listed;
    const cursor = params?.cursor;
    const times = refusals.get(method) ?? 0;
    const refuse = (code, message) => send({ jsonrpc: '2.0', id, error: { code, message } });
    if (cursor !== undefined && how === 'bad-page') {
      refuse(-32601, 'no such page');
    } else if (cursor !== undefined && times === 0 && (how === 'bad-cursor' || how === 'slow')) {
      refusals.set(method, 1);
      refuse(how === 'slow' ? -32603 : -32602, 'not now');
    } else {
      const first = cursor === undefined;
      const page = first ? [make('a'), ...(how === 'bad-item' ? [{ description: 'no name' }, 7] : [])] : [make('b')];
      const next = first || how === 'loop' ? { nextCursor: '' } : {};
      send({ jsonrpc: '2.0', id, result: { [member]: page, ...next } });
    }
    return true;
  },
});
