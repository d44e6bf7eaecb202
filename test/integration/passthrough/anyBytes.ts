import { seededRandom } from '../../unit/support/seededRandom.ts';

/** Bytes of every kind that a wire can carry: messages, halves of them, line ends of all sorts, bytes that are no text. */
export function anyBytes(seed: number): Buffer[] {
  const random = seededRandom(seed);
  const chunks: Buffer[] = [];
  for (let index = 0; index < 60; index += 1) {
    const size = Math.floor(random() ** 4 * 150_000);
    const kind = random();
    chunks.push(
      kind < 0.3
        ? Buffer.from(Array.from({ length: Math.min(size, 5000) }, () => Math.floor(random() * 256)))
        : kind < 0.5
          ? Buffer.from(`{"jsonrpc":"2.0","id":${index},"method":"x","params":{"t":"${'é'.repeat(size >> 1)}"}}\r\n`)
          : kind < 0.7
            ? Buffer.from('\n'.repeat(size % 50))
            : Buffer.from(`{"half": "${'y'.repeat(size)}`),
    );
  }
  return chunks;
}
