/** What stands in the place of a secret. */
const REDACTED = '[redacted]';

const SECRET_NAME =
  /token|secret|passw|pwd|credential|signature|jwt|bearer|(?:^|[^a-z])(?:api[-_]?|access[-_]?|auth[-_]?|private[-_]?)?key(?:$|[^a-z])|apikey|(?:^|[^a-z])(?:auth|authorization|sig|code|session|sid)(?:$|[^a-z])/i;
/** Values whose beginning gives them away, whatever they are called. */
const SECRET_VALUE = /^(?:sk-|pk-|ghp_|gho_|ghs_|github_pat_|glpat-|xox[abprs]-|eyJ[\w-]+\.)/;
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'dpop',
]);
/** Headers whose names look secret and whose values are not: challenges tell what is missing. */
const PUBLIC_HEADERS: ReadonlySet<string> = new Set(['www-authenticate', 'proxy-authenticate']);
const SESSION_HEADER = 'mcp-session-id';
const SESSION_CHARACTERS = 8;

/**
 * The URL without user name and password, without fragment, and with the values of query parameters that look like
 * secrets replaced. Text that is no URL is given back up to its first `?`.
 */
export function redactUrl(url: string): string {
  if (!URL.canParse(url)) {
    return url.split(/[?#]/, 1)[0] ?? '';
  }
  const { protocol, host, pathname, search } = new URL(url);
  const query = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '')
    .map(redactPair);
  const authority = host === '' ? protocol : `${protocol}//${host}`;
  return `${authority}${pathname}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

/**
 * Headers as a record, names in lower case, secrets replaced: the scheme of an `Authorization` and the first eight
 * characters of a session id stay, so that one can be told from another. Repeated headers are joined by a comma.
 */
export function redactHeaders(headers: Iterable<readonly [string, string]>): Readonly<Record<string, string>> {
  const safe = new Map<string, string>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const shown = redactHeader(key, value);
    const before = safe.get(key);
    safe.set(key, before === undefined ? shown : `${before}, ${shown}`);
  }
  return Object.fromEntries(safe);
}

function redactHeader(name: string, value: string): string {
  if (name === SESSION_HEADER) {
    return value.length > SESSION_CHARACTERS ? `${value.slice(0, SESSION_CHARACTERS)}…` : value;
  }
  if (name === 'location' || name === 'referer') {
    return redactUrl(value);
  }
  if (name.endsWith('authorization')) {
    const scheme = /^([A-Za-z][\w-]{0,20}) /.exec(value)?.[1];
    return scheme === undefined ? REDACTED : `${scheme} ${REDACTED}`;
  }
  const isSecret = SECRET_HEADERS.has(name) || SECRET_NAME.test(name) || SECRET_VALUE.test(value);
  return isSecret && !PUBLIC_HEADERS.has(name) ? REDACTED : value;
}

function redactPair(pair: string): string {
  const equals = pair.indexOf('=');
  const name = equals === -1 ? pair : pair.slice(0, equals);
  const value = equals === -1 ? '' : pair.slice(equals + 1);
  return value !== '' && (SECRET_NAME.test(name) || SECRET_VALUE.test(value)) ? `${name}=${REDACTED}` : pair;
}
