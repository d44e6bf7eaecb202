/** Answers each request of stdin with four notifications and a result, of 300 B to 4 KiB each. */
import process from 'node:process';
import { createInterface } from 'node:readline';

const SIZES = [300, 4096, 700, 2048, 1200];
const FILL = 'The quick brown fox jumps over the lazy dog. '.repeat(92);

const textOf = (index: number) => FILL.slice(0, (SIZES[index % SIZES.length] ?? 300) - 120);

createInterface(process.stdin).on('line', (line) => {
  const { id } = JSON.parse(line) as { id: number };
  const messages: object[] = [1, 2, 3, 4].map((index) => ({
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', data: textOf(id + index) },
  }));
  messages.push({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: textOf(id) }] } });
  process.stdout.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
});
