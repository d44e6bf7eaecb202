import { createHmac } from 'node:crypto';

const DIGITS = 6;
const REMEMBERED = 256;

/**
 * Makes `[redacted:<kind>:<digits>]`. The digits are of a hash under the log's own key: equal secrets stay equal within a
 * log, and nobody can try guesses against them who has not that log's file. 24 bits tell secrets apart and give little away.
 */
export function createPlaceholders(key: Uint8Array): (kind: string, secret: string) => string {
  const known = new Map<string, string>();
  return (kind, secret) => {
    // Written with escapes or without, it is the same secret.
    const plain = secret.replaceAll('\\', '');
    let digits = known.get(plain);
    if (digits === undefined) {
      digits = createHmac('sha256', key).update(plain).digest('hex').slice(0, DIGITS);
      if (known.size >= REMEMBERED) {
        known.clear();
      }
      known.set(plain, digits);
    }
    return `[redacted:${kind}:${digits}]`;
  };
}
