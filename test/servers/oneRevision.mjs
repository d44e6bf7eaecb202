// Speaks one revision only. argv: the revision; "refuse" to answer another with -32602 and what it supports, as was the rule
// until 2025-06-18, or else with its own.
import process from 'node:process';
import { send, serve } from './support/stdioServer.mjs';

const [, , revision = '2025-03-26', how = ''] = process.argv;
serve({
  onRequest: ({ id, method, params }) => {
    if (method !== 'initialize') {
      return false;
    }
    const requested = params.protocolVersion;
    if (how === 'refuse' && requested !== revision) {
      const data = { supported: [revision], requested };
      send({ jsonrpc: '2.0', id, error: { code: -32602, message: 'Unsupported protocol version', data } });
    } else {
      const serverInfo = { name: 'one-revision', version: '1.0.0' };
      send({ jsonrpc: '2.0', id, result: { protocolVersion: revision, capabilities: { tools: {} }, serverInfo } });
    }
    return true;
  },
});
