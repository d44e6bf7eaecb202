/** Longest part of a name that is taken apart, UTF-16 code units. */
const MAX_NAME = 200;

/** Words of an identifier in lower case: `getHTTPStatus`, `get_http_status` and `get-http-status` give the same. */
export function wordsOf(identifier: string): readonly string[] {
  return identifier
    .slice(0, MAX_NAME)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
