// The well-behaved part of every server of 2026-07-28 here, over either transport: `server/discover`, the lists,
// `subscriptions/listen`, and one tool `work`. A request without its `_meta` is refused as the specification says.
import { answerJson, listen, openSse } from './httpServer.mjs';
import { send, serve } from './stdioServer.mjs';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

export const complete = (text) => ({ resultType: 'complete', content: [{ type: 'text', text }] });
export const listed = (member, items, ttlMs = 60_000) => ({
  resultType: 'complete',
  [member]: items,
  ttlMs,
  cacheScope: 'private',
});

/**
 * What a request is answered with: `{ result }`, `{ error, status }`, or `undefined` for no answer at all. `onCall` gives it
 * for `tools/call`, `onRequest` for any request, where it wants to.
 */
function modernAnswer({ onCall, onRequest, capabilities, tools, ttlMs } = {}) {
  return (message, headers) => {
    const meta = message.params?._meta ?? {};
    const own = onRequest?.(message, headers);
    if (own !== undefined) {
      return own === 'silence' ? undefined : own;
    }
    if (message.method === 'initialize') {
      return {
        error: {
          code: -32022,
          message: 'Unsupported protocol version',
          data: { supported: ['2026-07-28'], requested: message.params?.protocolVersion },
        },
        status: 400,
      };
    }
    if (typeof meta[VERSION] !== 'string' || typeof meta[CAPABILITIES] !== 'object') {
      return { error: { code: -32602, message: 'Missing _meta' }, status: 400 };
    }
    switch (message.method) {
      case 'server/discover':
        return {
          result: {
            resultType: 'complete',
            supportedVersions: ['2026-07-28'],
            capabilities: capabilities ?? { tools: {} },
            ttlMs: 60_000,
            cacheScope: 'private',
            _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'modern-test', version: '1.0.0' } },
          },
        };
      case 'tools/list':
        return { result: listed('tools', tools ?? [{ name: 'work', inputSchema: { type: 'object' } }], ttlMs) };
      case 'tools/call':
        return onCall === undefined ? { result: complete('done') } : onCall(message, headers);
      default:
        return { error: { code: -32601, message: 'Method not found' }, status: 404 };
    }
  };
}

/** Over stdio. A subscription is acknowledged; `onListen` is given a function that sends notifications on it. */
export function serveModern(options = {}) {
  const answer = modernAnswer(options);
  serve({
    onNotification: options.onNotification,
    onRequest: (message) => {
      if (message.method === 'subscriptions/listen') {
        const notify = (method, params = {}) =>
          send({ jsonrpc: '2.0', method, params: { ...params, _meta: { [SUBSCRIPTION]: message.id } } });
        notify('notifications/subscriptions/acknowledged', { notifications: message.params.notifications });
        options.onListen?.(notify, message);
        return true;
      }
      const given = answer(message);
      if (given !== undefined) {
        const { status: _, ...body } = given;
        send({ jsonrpc: '2.0', id: message.id, ...body });
      }
      return true;
    },
  });
}

/** Over HTTP; resolves as `listen` does. An answer is `application/json`, a subscription a stream. */
export function listenModern(options = {}) {
  const answer = modernAnswer(options);
  return listen({
    onPost: (message, response, request) => {
      if (message.method === undefined || message.id === undefined) {
        return false;
      }
      if (message.method === 'subscriptions/listen') {
        openSse(response);
        const notify = (method, params = {}) =>
          response.write(
            `data: ${JSON.stringify({
              jsonrpc: '2.0',
              method,
              params: { ...params, _meta: { [SUBSCRIPTION]: message.id } },
            })}\n\n`,
          );
        notify('notifications/subscriptions/acknowledged', { notifications: message.params.notifications });
        options.onListen?.(notify, message, response);
        return true;
      }
      if (options.onStream?.(message, response)) {
        return true;
      }
      const given = answer(message, request.headers);
      if (given !== undefined) {
        const { status = 200, ...body } = given;
        answerJson(response, { jsonrpc: '2.0', id: message.id, ...body }, status);
      }
      return true;
    },
  });
}
