// A server of 2026-07-28 that takes a call only after it was corrected. Option `what`: "header" (-32020 until the tools are
// listed again), "capability" (-32021 until elicitation is declared), "capability-unknown", "version" (-32022, and legacy from
// then on), "header-always", "session" (400 whose message speaks of sessions although there are none).
import { runAsScript } from './support/httpServer.mjs';
import { complete, listed, listenModern } from './support/modern.mjs';

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

export function start({ what = 'header' } = {}) {
  let lists = 0;
  let isLegacy = false;
  const refused = (code, message, data) => ({ error: { code, message, data }, status: 400 });
  const property = () => ({ type: 'string', ...(lists > 1 ? { 'x-mcp-header': 'Region' } : {}) });
  return listenModern({
    onRequest: ({ method, params }, headers) => {
      if (isLegacy) {
        switch (method) {
          case 'initialize':
            return {
              result: {
                protocolVersion: params.protocolVersion,
                capabilities: { tools: {} },
                serverInfo: { name: 'downgraded', version: '1.0.0' },
              },
            };
          case 'tools/call':
            return { result: { content: [{ type: 'text', text: 'done' }] } };
          case 'server/discover':
            return { error: { code: -32601, message: 'Method not found' }, status: 400 };
          default:
        }
      }
      if (method === 'tools/list') {
        lists += 1;
        const inputSchema = { type: 'object', properties: { region: property() } };
        return { result: listed('tools', [{ name: 'work', inputSchema }]) };
      }
      if (method !== 'tools/call') {
        return undefined;
      }
      switch (what) {
        case 'header':
        case 'header-always':
          return headers['mcp-param-region'] === 'eu' && what === 'header'
            ? { result: complete('done') }
            : refused(-32020, 'Header mismatch: Mcp-Param-Region is missing');
        case 'capability':
          return params._meta[CAPABILITIES].elicitation === undefined
            ? refused(-32021, 'Missing capability', { requiredCapabilities: { elicitation: { form: {} } } })
            : { result: complete('done') };
        case 'capability-unknown':
          return refused(-32021, 'Missing capability', { requiredCapabilities: { telepathy: {} } });
        case 'version':
          isLegacy = true;
          return refused(-32022, 'Unsupported protocol version', {
            supported: ['2025-11-25'],
            requested: '2026-07-28',
          });
        default:
          return refused(-32602, 'Invalid session name');
      }
    },
  });
}

runAsScript(import.meta.url, start);
