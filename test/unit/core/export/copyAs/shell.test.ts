import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { splitCommandLine } from '../../../../../src/cli/commandLine.ts';
import { copyAsCall } from '../../../../../src/core/export/copyAs/callCommand.ts';
import { copyAsCurl } from '../../../../../src/core/export/copyAs/curl.ts';
import { EnvNames } from '../../../../../src/core/export/copyAs/parts.ts';
import { shellText, shellWord } from '../../../../../src/core/export/copyAs/shell.ts';
import { HOSTILE, sourceOf } from './source.ts';

const sh = (script: string, env: Record<string, string> = {}) =>
  execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', ...env } });

/** The arguments with which a command line calls its program. */
function argumentsOf(line: string, program: string, env: Record<string, string> = {}): readonly string[] {
  const report = `report() { for each in "$@"; do printf '%s\\0' "$each"; done; }`;
  return sh(`${report}\n${line.replace(program, 'report')}`, env)
    .split('\0')
    .slice(0, -1);
}

/** Nothing that a terminal would obey or hide. */
const VISIBLE = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u;
const isVisible = (text: string) => VISIBLE.test(text.replaceAll('\n', ''));

describe('a word for the shell', () => {
  it.each(HOSTILE)('is the text itself: %j', (text) => {
    const word = shellText(text);
    expect(sh(`printf '%s' ${word}; printf .`)).toBe(`${text}.`);
    expect(isVisible(word)).toBe(true);
  });

  it('is all of them at once', () => {
    const text = HOSTILE.join('');
    expect(sh(`printf '%s' ${shellText(text)}; printf .`)).toBe(`${text}.`);
  });

  it('has no NUL and no half of a character', () => {
    expect(sh(`printf '%s' ${shellText('a\0b\ud800c')}`)).toBe('a\uFFFDb\uFFFDc');
  });

  it('is what a variable holds, whatever that is', () => {
    const parts = [{ text: 'Bearer ' }, { env: 'KEY' }, { text: "'" }];
    expect(sh(`printf '%s' ${shellWord(parts)}`, { KEY: `a  b $(echo x) "'` })).toBe(`Bearer a  b $(echo x) "''`);
  });
});

describe('names of variables', () => {
  it('stand for the placeholders of the log, the same for the same secret', () => {
    const env = new EnvNames();
    const text = 'a [redacted:token:aaaaaa] b [redacted:token:bbbbbb] c [redacted:token:aaaaaa]';
    expect(env.partsOf(text, 'x', 'recorded').flatMap((part) => ('env' in part ? [part.env] : []))).toEqual([
      'FAULTLINE_TOKEN',
      'FAULTLINE_TOKEN_2',
      'FAULTLINE_TOKEN',
    ]);
  });

  it('are never chosen by what was recorded', () => {
    const env = new EnvNames();
    env.partsOf(
      '[redacted:aws_secret_access_key:abcdef] $' + '{env:AWS_SECRET_ACCESS_KEY} $' + '{input:PATH}',
      'x',
      'recorded',
    );
    expect(env.names).toEqual(['FAULTLINE_AWS_SECRET_ACCESS_KEY']);
  });

  it('are those of a definition where it names them', () => {
    const env = new EnvNames();
    env.partsOf('$' + '{env:api_key} $' + '{input:api key} $' + '{input:7} [redacted]', 'x-api-key', 'definition');
    expect(env.names).toEqual(['api_key', 'API_KEY', 'FAULTLINE_7', 'FAULTLINE_X_API_KEY']);
  });
});

describe('curl', () => {
  const http = { url: 'https://shop.example/mcp?[x]={a,b}&token=[redacted]', headers: {} };

  it.each(HOSTILE)('sends the recorded body: %j', (text) => {
    const requestRaw = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { text } });
    const copied = copyAsCurl(sourceOf({ http, requestRaw }));
    const line = 'text' in copied ? copied.text : '';
    const args = argumentsOf(line, 'curl', { FAULTLINE_URL: 'k' });
    expect(JSON.parse(args[args.indexOf('--data-raw') + 1] ?? '')).toEqual(JSON.parse(requestRaw));
    expect(args.slice(-2)).toEqual(['--url', 'https://shop.example/mcp?[x]={a,b}&token=k']);
    expect(isVisible(line)).toBe(true);
  });

  it('keeps what is no JSON byte for byte, and numbers as they were written', () => {
    for (const requestRaw of ['@/etc/passwd', '{"n": 12345678901234567890}', 'not \u202E json']) {
      const copied = copyAsCurl(sourceOf({ http, requestRaw }));
      const args = argumentsOf('text' in copied ? copied.text : '', 'curl');
      expect(args[args.indexOf('--data-raw') + 1]).toBe(requestRaw);
    }
  });

  it('names variables in the place of secrets and leaves out what curl would misread', () => {
    const headers = {
      authorization: 'Bearer [redacted]',
      'mcp-session-id': 'abcdefgh…',
      'mcp-protocol-version': '2025-11-25',
      '@file': 'x',
      'content-length': '9',
      'x-note': 'a\r\nb',
    };
    const copied = copyAsCurl(sourceOf({ http: { url: 'http://x/', headers }, requestRaw: '{}' }));
    expect(copied).toMatchObject({ env: ['FAULTLINE_AUTHORIZATION', 'FAULTLINE_MCP_SESSION_ID'] });
    const args = argumentsOf('text' in copied ? copied.text : '', 'curl', {
      FAULTLINE_AUTHORIZATION: 'k',
      FAULTLINE_MCP_SESSION_ID: 's',
    });
    expect(args.filter((_, index) => args[index - 1] === '-H')).toEqual([
      'content-type: application/json',
      'authorization: Bearer k',
      'mcp-session-id: s',
      'mcp-protocol-version: 2025-11-25',
      'x-note: a b',
    ]);
  });

  it('is not there for what was not sent over HTTP', () => {
    expect(copyAsCurl(sourceOf())).toEqual({ refusal: 'copy.refused.noHttp' });
  });
});

describe('faultline call', () => {
  const lineOf = (...change: Parameters<typeof sourceOf>) => {
    const copied = copyAsCall(sourceOf(...change));
    return 'text' in copied ? copied.text : copied.refusal;
  };

  it.each([
    [{}, `faultline call bookshop get_author '{"title":"Dune"}'`],
    [{ params: { name: 'list', arguments: {} } }, 'faultline call bookshop list'],
    [{ params: { name: '{x', arguments: {} } }, `faultline call bookshop '{x' {}`.replace('{}', `'{}'`)],
    [{ params: { name: '-rf' } }, 'faultline call -- bookshop -rf'],
    [{ method: 'tools/list' }, 'copy.refused.notATool'],
    [{ server: { name: 'x', isInMcpJson: false } }, 'copy.refused.noServer'],
    [
      { server: { name: 'x', isInMcpJson: false, transport: { type: 'http', url: 'https://x/mcp', headers: {} } } },
      `faultline call --url https://x/mcp get_author '{"title":"Dune"}'`,
    ],
  ] satisfies [Parameters<typeof sourceOf>[0], string][])('%j', (change, expected) => {
    expect(lineOf(change)).toBe(expected);
  });

  it.each(HOSTILE)('starts a server with the argument %j', (text) => {
    const transport = { type: 'stdio', command: 'node', args: [text, '$' + '{input:key}'], env: {} } as const;
    const line = lineOf({ server: { name: 'x', isInMcpJson: false, transport } });
    const args = argumentsOf(line, 'faultline call', { KEY: 'secret' });
    const command = splitCommandLine(args[args.indexOf('--command') + 1] ?? '');
    // The definition's own variables are filled in; all else stays as it is.
    const expected = text.replace('$' + '{env:HOME}', '').replace('$' + '{input:key}', 'secret');
    expect(command).toEqual(['node', expected, 'secret']);
  });
});
