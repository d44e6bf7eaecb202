// A server that wants a bearer token, and its authorization server beside it: protected resource metadata, dynamic
// registration, authorization code with PKCE, refresh. Agrees at once, without a page. Options: `expiresIn` seconds of an
// access token, `deny=1` to refuse every person, `loopbackOnly=1` to register no other redirect than one to 127.0.0.1, `exact=1`
// to send nobody to another redirect than the registered one, `sse=1` to speak HTTP+SSE at `/sse` instead. `revoke()` makes the
// tokens given so far invalid; `grants` lists the grants, `registered` the clients with their redirects.
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

export async function start({ expiresIn = 3600, deny = '', loopbackOnly = '', exact = '', sse = '' } = {}) {
  const codes = new Map();
  const clients = new Map();
  const grants = [];
  let valid = new Set();
  let refreshes = new Set();
  let base = '';
  let stream;
  const path = sse === '' ? '/mcp' : '/sse';

  /** Of HTTP+SSE the answer to the POST is empty, and the message comes on the stream. */
  function answerOnStream(message, response) {
    let answered;
    const captured = {
      writeHead: () => captured,
      end: (text) => {
        answered = text;
      },
    };
    answerMcp(message, captured);
    response.writeHead(202).end();
    if (answered !== undefined) {
      stream.write(`event: message\ndata: ${answered}\n\n`);
    }
  }

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
      case path:
      case '/messages': {
        const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
        if (!valid.has(token)) {
          const challenge = `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource${path}"`;
          response.writeHead(401, { 'www-authenticate': challenge }).end();
        } else if (url.pathname === '/messages') {
          answerOnStream(JSON.parse(text), response);
        } else if (sse !== '' && request.method === 'GET') {
          stream = response;
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write('event: endpoint\ndata: /messages\n\n');
        } else if (sse === '' && request.method === 'POST') {
          answerMcp(JSON.parse(text), response);
        } else {
          response.writeHead(405).end();
        }
        break;
      }
      case `/.well-known/oauth-protected-resource${path}`:
        answerJson(response, { resource: `${base}${path}`, authorization_servers: [base], scopes_supported: ['shop'] });
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
        const wanted = JSON.parse(text);
        if (loopbackOnly !== '' && !wanted.redirect_uris.every((uri) => new URL(uri).hostname === '127.0.0.1')) {
          answerJson(response, { error: 'invalid_redirect_uri' }, 400);
          break;
        }
        clients.set(client, wanted.redirect_uris);
        answerJson(response, { ...wanted, client_id: client }, 201);
        break;
      }
      case '/authorize': {
        const redirect = url.searchParams.get('redirect_uri');
        if (exact !== '' && !clients.get(url.searchParams.get('client_id'))?.includes(redirect)) {
          response.writeHead(400).end('This redirect is not registered.');
          break;
        }
        const back = new URL(redirect);
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
    url: `${base}${path}`,
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
