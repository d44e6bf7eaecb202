import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether two secrets are equal, in a time that tells neither where they differ nor how long the expected one is. */
export function isSameSecret(given: string, expected: string): boolean {
  // Digests have one length, which the comparison needs.
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
