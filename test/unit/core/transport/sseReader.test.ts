import { expect, it } from 'vitest';
import { createSseReader } from '../../../../src/core/transport/sseReader.ts';
import { seededRandom } from '../../support/seededRandom.ts';

const stream = [
  ': comment\n\n',
  'id: 5\nretry: 2000\ndata:\n\n',
  'event: message\ndata: {"jsonrpc":"2.0","id":1,\ndata: "result":{"é":"\u2028"}}\n\n',
  'data: {"level":"info"}\r\n\r\n',
  'id: 6\ndata: hello\n\n',
  'event: endpoint\ndata: {"jsonrpc":"2.0","id":2,"result":{}}\n\n',
  'data: cut off\n',
].join('');

it('sorts events into messages and noise, in any chunking', () => {
  const random = seededRandom(7);
  const bytes = new TextEncoder().encode(stream);
  for (let run = 0; run < 50; run += 1) {
    const log: unknown[] = [];
    const reader = createSseReader({
      onMessage: (raw, { envelope }) => log.push([raw, envelope]),
      onNoise: (raw, problem) => log.push([raw, problem]),
    });
    for (let at = 0; at < bytes.length; ) {
      const end = at + 1 + Math.floor(random() * 12);
      reader.push(bytes.subarray(at, end));
      at = end;
    }
    expect(log).toEqual([
      ['{"jsonrpc":"2.0","id":1,\n"result":{"é":"\u2028"}}', { kind: 'result', id: 1 }],
      ['{"level":"info"}', 'not-jsonrpc'],
      ['hello', 'not-json'],
      ['{"jsonrpc":"2.0","id":2,"result":{}}', 'not-jsonrpc'],
    ]);
    expect([reader.lastEventId(), reader.retryMs()]).toEqual(['6', 2000]);
  }
});
