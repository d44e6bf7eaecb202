// Answers each call with a text of so many bytes as its argument `bytes` says. For measuring: it does as little as can be.
import process from 'node:process';

const texts = new Map();
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
      let text = texts.get(bytes);
      if (text === undefined) {
        text = 'The quick brown fox. '.repeat(Math.ceil(bytes / 21)).slice(0, bytes);
        texts.set(bytes, text);
      }
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
