// A server that wants a bearer token, and its authorization server beside it: protected resource metadata, dynamic
// registration, authorization code with PKCE, refresh. Agrees at once, without a page. Options: `expiresIn` seconds of an
// access token, `deny=1` to refuse every person, `refuse=1` to register nobody, `loopbackOnly=1` to register no other redirect than one to 127.0.0.1, `exact=1`
// to send nobody to another redirect than the registered one, `sse=1` to speak HTTP+SSE at `/sse` instead, `dpop=1` to bind tokens to a key (RFC 9449). `revoke()` makes the
// tokens given so far invalid; `grants` lists the grants, `registered` the clients with their redirects.
import { createHash, createPublicKey, randomUUID, verify } from 'node:crypto';
import http from 'node:http';
import { answerJson, runAsScript, textResult } from './support/httpServer.mjs';

/** The key that a request proves to have, as text; undefined without a proof that holds for this request. */
function provenKey(request, url) {
  const [header, payload, signature] = String(request.headers.dpop ?? '').split('.');
  if (signature === undefined) {
    return undefined;
  }
  const [{ typ, jwk }, { htm, htu }] = [header, payload].map((part) => JSON.parse(Buffer.from(part, 'base64url')));
  const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' };
  const isSigned = verify('sha256', `${header}.${payload}`, key, Buffer.from(signature, 'base64url'));
  const isForThis = typ === 'dpop+jwt' && htm === request.method && htu === url.origin + url.pathname;
  return isSigned && isForThis ? JSON.stringify([jwk.x, jwk.y]) : undefined;
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export async function start({
  expiresIn = 3600,
  deny = '',
  loopbackOnly = '',
  exact = '',
  sse = '',
  dpop = '',
  refuse = '',
} = {}) {
  const codes = new Map();
  const clients = new Map();
  const grants = [];
  /** Access tokens with the key that each is bound to. */
  let valid = new Map();
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

  function giveTokens(response, key) {
    const access = `at-${randomUUID()}`;
    const refresh = `rt-${randomUUID()}`;
    valid.set(access, key);
    refreshes.add(refresh);
    const expires = Number(expiresIn);
    const type = key === undefined ? 'Bearer' : 'DPoP';
    answerJson(response, { access_token: access, token_type: type, expires_in: expires, refresh_token: refresh });
  }

  function answerToken(form, response, key) {
    grants.push(form.get('grant_type'));
    if (form.get('grant_type') === 'refresh_token' && refreshes.delete(form.get('refresh_token'))) {
      giveTokens(response, key);
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
    giveTokens(response, key);
  }

  const server = http.createServer(async (request, response) => {
    const url = new URL(request.url, base);
    const text = await bodyOf(request);
    switch (url.pathname) {
      case path:
      case '/messages': {
        const [, scheme, token] = /^(Bearer|DPoP) (.+)$/.exec(request.headers.authorization ?? '') ?? [];
        const key = scheme === 'DPoP' ? provenKey(request, url) : undefined;
        if (!valid.has(token) || valid.get(token) !== key) {
          const challenge = `${dpop === '' ? 'Bearer' : 'DPoP'} resource_metadata="${base}/.well-known/oauth-protected-resource${path}"`;
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
          ...(dpop === '' ? {} : { dpop_signing_alg_values_supported: ['ES256'] }),
          token_endpoint_auth_methods_supported: ['none'],
        });
        break;
      case '/register': {
        const client = randomUUID();
        const wanted = JSON.parse(text);
        const isForeign = !wanted.redirect_uris.every((uri) => new URL(uri).hostname === '127.0.0.1');
        if (refuse !== '' || (loopbackOnly !== '' && isForeign)) {
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
        answerToken(new URLSearchParams(text), response, dpop === '' ? undefined : provenKey(request, url));
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
      valid = new Map();
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
