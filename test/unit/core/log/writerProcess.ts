/**
 * A process that writes a log: `writerProcess.ts <file> <name> <mode> <count>`. In mode `rivals` it appends `count`
 * messages, once it has said that it is ready and was told to on stdin, and prints, as JSON, every event that it was told of
 * until there are twice as many. In mode `endless` it
 * appends until it is killed and prints each `seq` that was committed; in mode `limited` as well, of large messages too, in
 * a log that has to evict all the time; in mode `heavy` so much that the write-ahead log has to be emptied meanwhile.
 */
import { writeSync } from 'node:fs';
import { systemClock } from '../../../../src/base/systemClock.ts';
import { openEventLog } from '../../../../src/core/log/eventLog.ts';
import type { ConnectionId, EventBody } from '../../../../src/protocol/events.ts';
import { message } from './support.ts';

const [file, name, mode, count] = process.argv.slice(2);
const connection = String(name) as ConnectionId;
const log = openEventLog({
  path: file,
  clock: systemClock,
  pollMs: 5,
  ...(mode === 'limited' ? { limits: { maxBytes: 1_500_000 } } : {}),
});
const wanted = Number(count);

if (log.status.kind === 'memory') {
  throw new Error(log.status.detail);
}

const told: Array<[number, string]> = [];
let next = 0;

log.onDidAppend((events) => {
  if (mode !== 'rivals') {
    writeSync(1, `${events.at(-1)?.seq}\n`);
    return;
  }
  told.push(...events.map((event): [number, string] => [event.seq, event.connection]));
  if (told.length >= 2 * wanted) {
    writeSync(1, JSON.stringify(told));
    log.dispose();
  }
});

/** Now and then over the bound from which payloads are compressed, or often a little below; with a secret. */
function payload(): { body: EventBody } | undefined {
  if (!((mode === 'limited' && next % 50 === 0) || (mode === 'heavy' && next % 3 === 0))) {
    return undefined;
  }
  const raw = `token=abc ${'x'.repeat((mode === 'limited' ? 70_000 : 60_000) + (next % 1000))}`;
  return { body: { kind: 'noise', stream: 'stdout', raw, bytes: raw.length, problem: 'not-json' } };
}

function burst(): void {
  for (let left = 1 + (next % 97); left > 0 && next < wanted; left--) {
    log.append(message(next, { connection, ...payload() }));
    next++;
  }
  if (next < wanted) {
    setTimeout(burst, 1);
  }
}

if (mode === 'rivals') {
  writeSync(1, 'ready\n');
  process.stdin.once('data', () => {
    process.stdin.destroy();
    burst();
  });
} else {
  burst();
}
