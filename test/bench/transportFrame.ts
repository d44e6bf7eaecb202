// Findings (30 November 2026, Node.js 22.23, two shared cores): ratio 1.03 to 1.08 (28 ms) for rows of text; 1.07 (13 ms)
// for text in ASCII only, 0.93 for texts of 1 MiB in base64, 0.99 for text in Cyrillic and Japanese. What is added is one
// more look at the bytes, for line feeds and for invalid UTF-8.
import { parseFrame } from '../../src/core/transport/envelope.ts';
import { createLineFramer } from '../../src/core/transport/lineFramer.ts';
import { type BenchResult, progress, ratioOf, rounded, timeOf } from './bench.ts';

const LINE_BYTES = 12 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
const RUNS = 15;
const GOAL = 1.3;

/** A result line of about 12 MiB, as a tool that returns many rows gives it. */
function bigLine(): Buffer {
  const text = 'A row of text with "quotes", an é and some length, as tools return it. '.repeat(10);
  const content = Array.from({ length: Math.ceil(LINE_BYTES / text.length) }, () => ({ type: 'text', text }));
  return Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content } })}\n`);
}

/** `transport.frame12MiB`: a line in chunks of 64 KiB through the framer and `parseFrame`, against the least possible. */
export async function transportFrame(): Promise<BenchResult[]> {
  const line = bigLine();
  const chunks: Buffer[] = [];
  for (let at = 0; at < line.length; at += CHUNK_BYTES) {
    chunks.push(line.subarray(at, at + CHUNK_BYTES));
  }
  progress(`transport.frame12MiB: ${line.length} bytes in ${chunks.length} chunks`);
  const { ours, baseline, ratio } = await ratioOf(
    () =>
      timeOf(() => {
        const framer = createLineFramer();
        return chunks.flatMap((chunk) => framer.push(chunk)).map(({ raw }) => parseFrame(raw));
      }),
    () => timeOf(() => JSON.parse(Buffer.concat(chunks).toString('utf8'))),
    RUNS,
  );
  return [
    {
      name: 'transport.frame12MiB',
      value: rounded(ours),
      unit: 'ms',
      baseline: rounded(baseline),
      ratio: rounded(ratio),
      goal: `≤ ${GOAL}`,
      ok: ratio <= GOAL,
    },
  ];
}
