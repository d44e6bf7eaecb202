/** Name and value, as on the wire and in its order. */
export type HeaderPair = readonly [string, string];

/** Headers between two neighbours, which a proxy must not pass on (RFC 9110 §7.6.1); `Connection` names further ones. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The pairs of Node.js's flat list. */
export function pairsOf(rawHeaders: readonly string[]): readonly HeaderPair[] {
  const pairs: HeaderPair[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    pairs.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  }
  return pairs;
}

/** What goes on to the next one: all but what is between neighbours, and but `dropped` (in lower case). Order and case stay. */
export function endToEnd(pairs: readonly HeaderPair[], dropped: readonly string[] = []): readonly HeaderPair[] {
  const named = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((name) => name.trim().toLowerCase()));
  const gone = new Set([...HOP_BY_HOP, ...named, ...dropped]);
  return pairs.filter(([name]) => !gone.has(name.toLowerCase()));
}

/** The value of a header that is there once at most; the first one otherwise. */
export function headerOf(pairs: readonly HeaderPair[], wanted: string): string | undefined {
  return pairs.find(([name]) => name.toLowerCase() === wanted)?.[1];
}
