// Answers each call with a text of so many bytes as its argument `bytes` says: prose, prose with numbers and JSON in turn, since
// whoever reads them takes them differently. For measuring: it does as little as can be.
import process from 'node:process';

const texts = new Map();
const prose = (sentence, bytes) => sentence.repeat(Math.ceil(bytes / sentence.length)).slice(0, bytes);
const kinds = [
  (bytes) => prose('The quick brown fox. ', bytes),
  (bytes) => prose('Order 4711 was placed on 12 May for 31.50 EUR. ', bytes),
  (bytes) => JSON.stringify({ id: 4711, state: 'open', name: prose('Anna ', Math.max(0, bytes - 41)) }),
];
let calls = 0;
let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  let out = '';
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) {
      continue;
    }
    let body = { error: { code: -32601, message: 'Method not found' } };
    if (method === 'tools/call') {
      const { bytes } = params.arguments;
      const kind = calls++ % kinds.length;
      const key = `${kind} ${bytes}`;
      const text = texts.get(key) ?? kinds[kind](bytes);
      texts.set(key, text);
      body = { result: { content: [{ type: 'text', text }] } };
    } else if (method === 'initialize') {
      const serverInfo = { name: 'sized', version: '1.0.0' };
      body = { result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } };
    } else if (method === 'tools/list') {
      body = { result: { tools: [{ name: 'work', inputSchema: { type: 'object' } }] } };
    }
    out += `${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`;
  }
  process.stdout.write(out);
});
