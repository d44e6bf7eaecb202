import type { Copied, CopySource } from './copySource.ts';
import { EnvNames, replaceHidden, unitEscapes } from './parts.ts';
import { shellWord } from './shell.ts';

/** RFC 9110, 5.6.2: what a header may be called. Any other name could mean something to curl, as `@file` does. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Headers that curl itself knows better. */
const LEFT_OUT = new Set(['content-length', 'host', 'connection', 'accept-encoding', 'transfer-encoding', 'expect']);

/** What the recording keeps only the beginning of. */
const SESSION_HEADER = 'mcp-session-id';

/** The request as a `curl` command for a POSIX shell. Only what was sent over HTTP has one. */
export function copyAsCurl({ http, requestRaw, initiator }: CopySource): Copied {
  if (http === undefined || requestRaw === undefined || initiator !== 'client') {
    return { refusal: 'copy.refused.noHttp' };
  }
  const env = new EnvNames();
  const headers = Object.entries({ 'content-type': 'application/json', ...http.headers })
    .filter(([name]) => HEADER_NAME.test(name) && !LEFT_OUT.has(name.toLowerCase()))
    .map(([name, value]) => {
      const isSession = name.toLowerCase() === SESSION_HEADER;
      const shown = isSession ? '[redacted]' : value.replace(/[\r\n]+/g, ' ');
      return `-H ${shellWord([{ text: `${name}: ` }, ...env.partsOf(shown, name, 'recorded')])}`;
    });
  const body = shellWord(env.partsOf(bodyOf(requestRaw), 'body', 'recorded'));
  const url = shellWord(env.partsOf(http.url, 'url', 'recorded'));
  // Braces and brackets in a URL are no patterns, and an answer that is a stream is shown as it comes.
  const lines = ['curl -sS --globoff --no-buffer -X POST', ...headers, `--data-raw ${body}`, `--url ${url}`];
  return { text: lines.join(' \\\n  '), env: env.names };
}

/** JSON means the same with its hidden characters escaped; any other body stays as it is. */
function bodyOf(raw: string): string {
  try {
    JSON.parse(raw);
  } catch {
    return raw;
  }
  return replaceHidden(raw, (_code, character) =>
    character === '\n' || character === '\r' || character === '\t' ? character : unitEscapes(character),
  );
}
