import http from 'node:http';

/** A client of a server over Streamable HTTP that does no more than it must. */
export interface HttpClient {
  /** Calls `count` times, `window` at a time; gives how long each took, ms. */
  call(count: number, window: number, bytes: number): Promise<readonly number[]>;
  close(): void;
}

const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

/** Shakes hands with the server at `url`. */
export async function openHttpClient(url: string): Promise<HttpClient> {
  const agent = new http.Agent({ keepAlive: true });
  const clientInfo = { name: 'bench', version: '1.0.0' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  let session: Record<string, string> = {};
  let id = 0;

  const post = (message: object): Promise<http.IncomingMessage> =>
    new Promise((resolve, reject) => {
      const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
      const request = http.request(url, {
        agent,
        method: 'POST',
        headers: { ...headers, ...session, 'Content-Length': body.length },
      });
      request.once('error', reject);
      request.once('response', (response) => {
        response.resume();
        response.once('end', () => resolve(response));
        response.once('error', reject);
      });
      request.end(body);
    });

  const opened = await post({ id: 0, method: 'initialize', params });
  const sessionId = opened.headers['mcp-session-id'];
  if (typeof sessionId === 'string') {
    session = { 'Mcp-Session-Id': sessionId };
  }
  await post({ method: 'notifications/initialized' });

  return {
    async call(count, window, bytes) {
      const text = 'x'.repeat(Math.max(0, bytes - 120));
      const times: number[] = [];
      let left = count;
      const worker = async () => {
        while (left > 0) {
          left -= 1;
          id += 1;
          const from = performance.now();
          const params = { name: 'echo', arguments: { text, length: text.length } };
          const { statusCode } = await post({ id, method: 'tools/call', params });
          if (statusCode !== 200) {
            throw new Error(`${url} answered HTTP ${statusCode}`);
          }
          times.push(performance.now() - from);
        }
      };
      await Promise.all(Array.from({ length: window }, worker));
      return times;
    },
    close: () => agent.destroy(),
  };
}
