import { describe, expect, it } from 'vitest';
import { formatText } from '../../../../../src/base/text.ts';
import { diagnose, type StartFacts } from '../../../../../src/core/client/diagnosis/diagnose.ts';
import { startFacts } from '../../../../../src/core/client/diagnosis/startFacts.ts';
import { causeOnStderr } from '../../../../../src/core/client/diagnosis/stderrCauses.ts';
import { handshakeFailure } from '../../../../../src/core/client/failure.ts';
import { explainCwd, explainSpawn } from '../../../../../src/core/transport/spawnFailure.ts';
import type { TransportFailure } from '../../../../../src/protocol/events.ts';
import { startTexts } from '../../../../../src/protocol/texts/start.ts';
import { TEXTS } from '../../../../../src/protocol/texts.ts';

const texts: Readonly<Record<string, string>> = { ...TEXTS, ...startTexts };

const exited = (exitCode: number | null, exitSignal: string | null = null): TransportFailure => ({
  reason: 'exited',
  message: 'The server exited.',
  exitCode,
  exitSignal,
});
const silent = handshakeFailure({ kind: 'timeout', limit: 'idle', afterMs: 30_000, progressSeen: false });
const http = (status: number, message = `The server answered HTTP ${status}.`): TransportFailure => ({
  reason: 'http-status',
  message,
  status,
});
const network = (reason: TransportFailure['reason'], code: string): TransportFailure => ({
  reason,
  code,
  message: code,
});

/** What a person reads, after checking that it leaves no place of its template open. */
function told(facts: StartFacts): string {
  const { code, remedy, args } = diagnose(facts);
  for (const each of [code, remedy]) {
    expect(texts[each], each).toBeDefined();
    expect(formatText(texts[each] ?? '', args), each).not.toMatch(/\{\w+\}/);
  }
  return code.replace(/^start\./, '');
}

describe('a process that could not be started', () => {
  const spawned = (command: string, code: string) =>
    explainSpawn(Object.assign(new Error(code), { code }), { command, searchPath: '/usr/bin:/bin' });

  it.each([
    ['a command', spawned('shop-mcp', 'ENOENT'), 'shop-mcp', 'notFound'],
    ['uvx', spawned('uvx', 'ENOENT'), 'uvx', 'noUv'],
    ['npx', spawned('npx', 'ENOENT'), 'npx.cmd', 'noNode'],
    ['python', spawned('python3.12', 'ENOENT'), 'python3.12', 'noPython'],
    ['docker', spawned('docker', 'ENOENT'), 'docker', 'noDocker'],
    ['a path', spawned('/no/such/file', 'ENOENT'), '/no/such/file', 'noSuchFile'],
    ['an interpreter', spawned(import.meta.filename, 'ENOENT'), import.meta.filename, 'noInterpreter'],
    ['a permission', spawned('/bin/x', 'EACCES'), '/bin/x', 'notExecutable'],
    ['something else', spawned('x', 'E2BIG'), 'x', 'connection.spawnFailed'],
  ])('for want of %s', (_name, failure, target, code) => {
    expect(told({ failure, transport: 'stdio', target })).toBe(code);
  });

  it('shows the PATH that was searched, and blames the directory when it is the directory', () => {
    const missing = diagnose({ failure: spawned('uvx', 'ENOENT'), transport: 'stdio', target: 'uvx' });
    expect(formatText(texts[missing.code] ?? '', missing.args)).toContain('PATH searched: /usr/bin:/bin');
    const failure = explainCwd('/no/such/folder');
    expect(failure).toBeDefined();
    expect(told({ failure: failure ?? exited(1), transport: 'stdio', target: 'node' })).toBe('badCwd');
  });
});

describe('a process that ended', () => {
  it.each<readonly [string, string, Readonly<Record<string, string>>]>([
    [
      "npm error 404  '@acme/no-such-mcp@*' is not in this registry.",
      'npmNotFound',
      { package: '@acme/no-such-mcp@*' },
    ],
    ['npm ERR! code E404', 'npmNotFound', { package: 'E404' }],
    ['npm error notarget No matching version found for shop-mcp@9.9.9.', 'npmNoVersion', { package: 'shop-mcp@9.9.9' }],
    ['npm error code ENOTFOUND', 'npmOffline', { code: 'ENOTFOUND' }],
    ['npm error could not determine executable to run', 'noBinary', {}],
    [
      '  × Because mcp-server-nope was not found in the package registry and you require',
      'uvNotFound',
      { package: 'mcp-server-nope' },
    ],
    ['An executable named `shop` is not provided by package `shop-mcp`.', 'noBinary', {}],
    ["ModuleNotFoundError: No module named 'mcp.server.fastmcp'", 'pythonModule', { module: 'mcp.server.fastmcp' }],
    ['/usr/bin/python3: No module named shop_mcp', 'pythonModule', { module: 'shop_mcp' }],
    ["ImportError: cannot import name 'FastMCP' from 'mcp.server'", 'pythonImport', { name: 'FastMCP' }],
    [
      "python: can't open file '/w/server.py': [Errno 2] No such file or directory",
      'noScript',
      { file: '/w/server.py' },
    ],
    ["Error: Cannot find module '/w/dist/index.js'", 'noScript', { file: '/w/dist/index.js' }],
    ["Error: Cannot find module 'zod'", 'nodeModule', { module: 'zod' }],
    [
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@modelcontextprotocol/sdk' imported from /w/index.js",
      'nodeModule',
      { module: '@modelcontextprotocol/sdk' },
    ],
    ['TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts" for /w/server.ts', 'nodeTypeScript', {}],
    ['Error: No such built-in module: node:sqlite', 'nodeVersion', { what: 'node:sqlite' }],
    ['ReferenceError: File is not defined', 'nodeVersion', { what: 'File' }],
    ['This package requires Node.js >=22. You have 18.', 'nodeVersion', { what: 'Node.js >=22.' }],
    ['was compiled against a different Node.js version using', 'nodeVersion', { what: 'Node.js version' }],
    ['Error: Could not locate the bindings file. Tried:', 'nativeModule', {}],
    ['SyntaxError: Cannot use import statement outside a module', 'nodeModuleSystem', {}],
    ['SyntaxError: Unexpected token {', 'syntaxError', { problem: 'SyntaxError: Unexpected token {' }],
    ['  IndentationError: unexpected indent', 'syntaxError', { problem: 'IndentationError: unexpected indent' }],
    ['Error: listen EADDRINUSE: address already in use 127.0.0.1:3000', 'portInUse', { address: '127.0.0.1:3000' }],
    ['OSError: [Errno 98] error while attempting to bind: address already in use', 'portInUse', {}],
    ['Cannot connect to the Docker daemon at unix:///var/run/docker.sock.', 'dockerDown', {}],
    ["Unable to find image 'mcp/shop:latest' locally", 'dockerImage', { image: 'mcp/shop:latest' }],
    [
      'Error: GITHUB_PERSONAL_ACCESS_TOKEN environment variable is required',
      'missingVariable',
      { variable: 'GITHUB_PERSONAL_ACCESS_TOKEN' },
    ],
    ['Please set BRAVE_API_KEY before starting', 'missingVariable', { variable: 'BRAVE_API_KEY' }],
    ["KeyError: 'SHOP_TOKEN'", 'missingVariable', { variable: 'SHOP_TOKEN' }],
    ['fatal: missing API key, see the docs', 'missingKey', { line: 'fatal: missing API key, see the docs' }],
    ['sh: 1: tsx: not found', 'shellNotFound', { command: 'tsx' }],
    ["'uvx' is not recognized as an internal or external command,", 'shellNotFound', { command: 'uvx' }],
    ['FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory', 'outOfMemory', {}],
    ['Error: connect ECONNREFUSED 127.0.0.1:5432', 'dependencyRefused', { address: '127.0.0.1:5432' }],
    ["Error: EACCES: permission denied, open '/var/x'", 'permission', { file: '/var/x' }],
    ['java.lang.UnsupportedClassVersionError: x', 'javaVersion', {}],
    ['\u001b[31musage: shop [-h] {serve,list}\u001b[0m', 'usage', {}],
    ['Usage: shop [options] <command>', 'usage', {}],
    ['something went wrong', 'exited', { line: 'something went wrong' }],
  ])('says why on stderr: %s', (line, code, args) => {
    const facts: StartFacts = { failure: exited(1), transport: 'stdio', stderr: ['starting', line, ''] };
    expect(told(facts)).toBe(code);
    expect(diagnose(facts).args).toMatchObject(args);
  });

  it.each<readonly [string, StartFacts, string]>([
    ['nothing', { failure: exited(3), transport: 'stdio' }, 'exitedSilently'],
    ['success', { failure: exited(0), transport: 'stdio' }, 'exitedAtOnce'],
    ['127', { failure: exited(127), transport: 'stdio' }, 'shellNotFound'],
    ['SIGSEGV', { failure: exited(null, 'SIGSEGV'), transport: 'stdio' }, 'crashed'],
    ['SIGKILL', { failure: exited(null, 'SIGKILL'), transport: 'stdio' }, 'killed'],
    [
      'its help on stdout',
      {
        failure: exited(0),
        transport: 'stdio',
        noise: [
          { raw: 'Usage: tool <cmd>', problem: 'not-json' },
          { raw: 'Options:', problem: 'not-json' },
        ],
      },
      'usage',
    ],
    [
      'a word on stdout only',
      { failure: exited(2), transport: 'stdio', noise: [{ raw: 'no config', problem: 'not-json' }] },
      'exitedSaying',
    ],
    [
      'the tail of the failure itself',
      { failure: { ...exited(1), stderrTail: ["ModuleNotFoundError: No module named 'x'"] }, transport: 'stdio' },
      'pythonModule',
    ],
  ])('says %s', (_name, facts, code) => {
    expect(told(facts)).toBe(code);
  });
});

describe('a process that does not answer', () => {
  it.each<readonly [string, Partial<StartFacts>, string]>([
    ['LSP framing', { noise: [{ raw: 'Content-Length: 12', problem: 'lsp-framing' }] }, 'lspFraming'],
    ['noise', { noise: [{ raw: 'Welcome to shop!', problem: 'not-json' }] }, 'stdoutNoise'],
    ['an address', { stderr: ['INFO: Uvicorn running on http://127.0.0.1:8000 (Press CTRL+C)'] }, 'speaksHttp'],
    ['an address on stdout', { noise: [{ raw: 'Server listening on port 3000', problem: 'not-json' }] }, 'speaksHttp'],
    ['a last word', { stderr: ['downloading 40 MB'] }, 'timeoutAfter'],
    ['a cause', { stderr: ['Please set SHOP_API_KEY'] }, 'missingVariable'],
    ['nothing', {}, 'connection.timeout'],
  ])('and shows %s', (_name, facts, code) => {
    expect(told({ failure: silent, transport: 'stdio', ...facts })).toBe(code);
  });

  it('over a handshake that was refused keeps to what the server said', () => {
    const refused = handshakeFailure({ kind: 'error', error: { code: -32602, message: 'no' }, raw: '' });
    expect(told({ failure: refused, transport: 'stdio', stderr: ['Please set A_KEY'] })).toBe(
      'connection.refusedHandshake',
    );
    const foreign = handshakeFailure({ kind: 'result', result: { protocolVersion: '1999-01-01' }, raw: '' });
    expect(told({ failure: foreign, transport: 'stdio' })).toBe('connection.unsupportedRevision');
  });
});

describe('an address that does not serve', () => {
  const at = (more: object = {}) => ({ url: 'https://a.test/mcp', responseHeaders: {}, ...more });

  it.each<readonly [string, TransportFailure, StartFacts['http'], string]>([
    ['refused', network('refused', 'ECONNREFUSED'), at(), 'refused'],
    ['DNS', network('unresolved', 'ENOTFOUND'), at(), 'unresolved'],
    ['an expired certificate', network('tls', 'CERT_HAS_EXPIRED'), at(), 'tlsExpired'],
    ['a self-signed one', network('tls', 'DEPTH_ZERO_SELF_SIGNED_CERT'), at(), 'tlsUntrusted'],
    ['an unknown authority', network('tls', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), at(), 'tlsUntrusted'],
    ['another name', network('tls', 'ERR_TLS_CERT_ALTNAME_INVALID'), at(), 'tlsName'],
    ['no TLS', network('tls', 'ERR_SSL_WRONG_VERSION_NUMBER'), at(), 'tlsPlain'],
    ['another fault of TLS', network('tls', 'ERR_TLS_X'), at(), 'tls'],
    ['401', { ...http(401), reason: 'unauthorized' }, at(), 'unauthorized'],
    [
      'a refusal',
      { ...http(401, 'access_denied'), reason: 'unauthorized', code: 'access_denied' },
      at(),
      'signInFailed',
    ],
    ['403', { ...http(403), reason: 'unauthorized' }, at(), 'forbidden'],
    ['404', http(404), at(), 'http404'],
    ['405', http(405), at(), 'http405'],
    ['406', http(406), at(), 'httpMedia'],
    ['407', http(407), at(), 'proxy'],
    ['429', http(429), at(), 'rateLimited'],
    ['500', http(500), at(), 'httpServerError'],
    ['502', http(502), at(), 'gateway'],
    ['418', http(418), at(), 'connection.httpStatus'],
    ['a redirect', http(302), at({ responseHeaders: { location: 'https://b.test/mcp' } }), 'redirect'],
    ['a login', http(302), at({ responseHeaders: { location: 'https://b.test/login' } }), 'redirectToLogin'],
    [
      'a web page',
      { reason: 'not-json-rpc', status: 200, message: 'The answer of type text/html is no answer to the request.' },
      at(),
      'html',
    ],
    ['a page told by its body', { reason: 'not-json-rpc', message: 'x' }, at({ body: '<!DOCTYPE html>' }), 'html'],
    ['other text', { reason: 'not-json-rpc', message: 'x' }, at({ body: 'hi' }), 'connection.notJsonRpc'],
    ['a 202', { reason: 'accepted-without-answer', message: 'x' }, undefined, 'connection.noAnswer'],
  ])('for %s', (_name, failure, exchange, code) => {
    expect(told({ failure, transport: 'http', target: 'https://a.test/mcp', http: exchange })).toBe(code);
  });
});

describe('the sentences of a diagnosis', () => {
  it('are more than thirty, each with its remedy', () => {
    const codes = Object.keys(startTexts).filter((code) => /^start\.\w+$/.test(code));
    expect(codes.length).toBeGreaterThan(30);
    expect(codes.filter((code) => texts[`${code}.remedy`] === undefined)).toEqual([]);
  });

  it('are chosen in time from lines that are meant to hold it up', () => {
    const hostile = ['A_'.repeat(1000), 'missing '.repeat(250), `'${'x'.repeat(1999)}`, `${' '.repeat(1999)}x`];
    expect(causeOnStderr(hostile)).toBeUndefined();
  });
});

describe('the facts of a start', () => {
  it('are picked out of the events of a connection', () => {
    const failure = exited(1);
    const transport = { type: 'stdio', command: 'npx', args: ['x'], env: {} } as const;
    const events = [
      { body: { kind: 'stderr', line: 'a', level: 'unknown' } },
      { body: { kind: 'noise', stream: 'stdout', raw: 'hi', bytes: 2, problem: 'not-json' } },
      { body: { kind: 'lifecycle', detail: { step: 'started', pid: 1 } } },
      { body: { kind: 'stderr', line: 'b', level: 'unknown' } },
    ] as const;
    expect(startFacts(failure, events, transport)).toEqual({
      failure,
      transport: 'stdio',
      target: 'npx',
      noise: [{ raw: 'hi', problem: 'not-json' }],
      stderr: ['a', 'b'],
      http: undefined,
    });
  });

  it('are told by the events alone where there is no definition', () => {
    const failure = exited(1);
    const spawned = { kind: 'lifecycle', detail: { step: 'spawn', command: 'uvx', args: [] } } as const;
    const connecting = { kind: 'lifecycle', detail: { step: 'connecting', url: 'http://a.test/' } } as const;
    expect(startFacts(failure, [{ body: spawned }])).toMatchObject({ transport: 'stdio', target: 'uvx' });
    expect(startFacts(failure, [{ body: connecting }])).toMatchObject({ transport: 'http', target: 'http://a.test/' });
  });
});
