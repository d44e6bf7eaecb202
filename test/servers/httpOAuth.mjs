// A server that wants a bearer token, and its authorization server beside it: protected resource metadata, dynamic
// registration, authorization code with PKCE, refresh. Agrees at once, without a page. Options: `expiresIn` seconds of an
// access token, `deny=1` to refuse every person. `revoke()` makes the tokens given so far invalid; `grants` lists the grants.
import { createHash, randomUUID } from 'node:crypto';
import http from 'node:http';
import { answerJson, runAsScript, textResult } from './support/httpServer.mjs';

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export async function start({ expiresIn = 3600, deny = '' } = {}) {
  const codes = new Map();
  const clients = new Set();
  const grants = [];
  let valid = new Set();
  let refreshes = new Set();
  let base = '';

  function answerMcp(message, response) {
    const results = {
      initialize: () => ({
        protocolVersion: message.params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'oauth-test', version: '1.0.0' },
      }),
      'tools/list': () => ({ tools: [{ name: 'work', inputSchema: { type: 'object' } }] }),
      'tools/call': () => textResult(message.id, 'done').result,
    };
    if (message.id === undefined) {
      response.writeHead(202).end();
    } else if (Object.hasOwn(results, message.method)) {
      answerJson(response, { jsonrpc: '2.0', id: message.id, result: results[message.method]() });
    } else {
      answerJson(response, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } });
    }
  }

  function giveTokens(response) {
    const access = `at-${randomUUID()}`;
    const refresh = `rt-${randomUUID()}`;
    valid.add(access);
    refreshes.add(refresh);
    const expires = Number(expiresIn);
    answerJson(response, { access_token: access, token_type: 'Bearer', expires_in: expires, refresh_token: refresh });
  }

  function answerToken(form, response) {
    grants.push(form.get('grant_type'));
    if (form.get('grant_type') === 'refresh_token' && refreshes.delete(form.get('refresh_token'))) {
      giveTokens(response);
      return;
    }
    const challenge = codes.get(form.get('code'));
    codes.delete(form.get('code'));
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (challenge === undefined || challenge !== proof) {
      answerJson(response, { error: 'invalid_grant' }, 400);
      return;
    }
    giveTokens(response);
  }

  const server = http.createServer(async (request, response) => {
    const url = new URL(request.url, base);
    const text = await bodyOf(request);
    switch (url.pathname) {
      case '/mcp': {
        const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
        if (!valid.has(token)) {
          const challenge = `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`;
          response.writeHead(401, { 'www-authenticate': challenge }).end();
        } else if (request.method === 'POST') {
          answerMcp(JSON.parse(text), response);
        } else {
          response.writeHead(405).end();
        }
        break;
      }
      case '/.well-known/oauth-protected-resource/mcp':
        answerJson(response, { resource: `${base}/mcp`, authorization_servers: [base], scopes_supported: ['shop'] });
        break;
      case '/.well-known/oauth-authorization-server':
        answerJson(response, {
          issuer: base,
          authorization_endpoint: `${base}/authorize`,
          token_endpoint: `${base}/token`,
          registration_endpoint: `${base}/register`,
          response_types_supported: ['code'],
          grant_types_supported: ['authorization_code', 'refresh_token'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
        });
        break;
      case '/register': {
        const client = randomUUID();
        clients.add(client);
        answerJson(response, { ...JSON.parse(text), client_id: client }, 201);
        break;
      }
      case '/authorize': {
        const back = new URL(url.searchParams.get('redirect_uri'));
        back.searchParams.set('state', url.searchParams.get('state'));
        if (deny !== '' || !clients.has(url.searchParams.get('client_id'))) {
          back.searchParams.set('error', 'access_denied');
        } else {
          const code = randomUUID();
          codes.set(code, url.searchParams.get('code_challenge'));
          back.searchParams.set('code', code);
        }
        response.writeHead(302, { location: back.href }).end();
        break;
      }
      case '/token':
        answerToken(new URLSearchParams(text), response);
        break;
      default:
        response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  base = `http://127.0.0.1:${server.address().port}`;
  return {
    url: `${base}/mcp`,
    grants,
    registered: clients,
    revoke: ({ refreshToo = false } = {}) => {
      valid = new Set();
      refreshes = refreshToo ? new Set() : refreshes;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

runAsScript(import.meta.url, start);
