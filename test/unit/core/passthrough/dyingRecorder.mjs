// A recording thread for tests: tells what reaches it as problems, and dies of bytes that say "die".
import { parentPort } from 'node:worker_threads';
import { passagesOf, weightOf } from '../../../../src/core/passthrough/passage.ts';

parentPort.on('message', (message) => {
  if (message === 'close') {
    parentPort.postMessage({ kind: 'closed' });
    parentPort.close();
    return;
  }
  for (const { what } of passagesOf(message)) {
    const text = 'fact' in what ? JSON.stringify(what) : Buffer.from(what.bytes).toString();
    if (text === 'die') {
      throw new Error('killed by a message');
    }
    if (text === 'hang') {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    }
    parentPort.postMessage({ kind: 'problem', code: 'got', detail: text });
  }
  parentPort.postMessage({ kind: 'recorded', weight: weightOf(message) });
});
