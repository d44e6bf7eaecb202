/**
 * The recording half of an extension host: `loopDelayProcess.ts <seconds> <log|nothing>` prints what its event loop felt, as
 * JSON, while messages are logged and projected, or only received.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { systemClock } from '../../src/base/systemClock.ts';
import { Correlator } from '../../src/core/classify/correlate.ts';
import { judge } from '../../src/core/classify/judge.ts';
import { openEventLog } from '../../src/core/log/eventLog.ts';
import { Timeline } from '../../src/core/timeline/timeline.ts';
import { createStdioWire } from '../../src/core/transport/stdioWire.ts';
import type { ConnectionId, ServerId, SessionId } from '../../src/protocol/events.ts';

/** Five messages arrive for each. */
const REQUESTS_PER_SECOND = 1000;
const RESOLUTION_MS = 1;
const seconds = Number(process.argv[2]);
const isLogged = process.argv[3] === 'log';

const folder = mkdtempSync(path.join(tmpdir(), 'faultline-bench-'));
const log = openEventLog({ path: path.join(folder, 'log.db'), clock: systemClock, pollMs: 500 });
const correlator = new Correlator(judge);
const timeline = new Timeline();
let events = 0;
let gaps = 0;
let writingMs = 0;
log.onDidAppend((batch) => {
  const start = performance.now();
  events += batch.length;
  for (const event of batch) {
    gaps += event.body.kind === 'note' ? 1 : 0;
    timeline.apply(correlator.push(event));
  }
  writingMs += performance.now() - start;
});

const wire = createStdioWire({
  definition: {
    command: process.execPath,
    args: ['--no-warnings', path.join(import.meta.dirname, 'loopDelayServer.ts')],
    env: {},
  },
  context: {
    session: 'bench' as SessionId,
    server: 'bench:server' as ServerId,
    connection: 'bench-1' as ConnectionId,
    origin: 'client',
  },
  sink: isLogged ? log : { append: () => undefined },
  clock: systemClock,
});
await wire.start();

let received = 0;
wire.onDidReceive(() => {
  received++;
});
let id = 0;
const request = () =>
  `{"jsonrpc":"2.0","id":${++id},"method":"tools/call","params":{"name":"search","arguments":{"query":"books about ${id}"},"_meta":{"progressToken":"p${id}"}}}`;

async function load(forSeconds: number): Promise<void> {
  const start = performance.now();
  let sent = 0;
  for (let elapsed = 0; elapsed < forSeconds * 1000; elapsed = performance.now() - start) {
    for (const due = (elapsed / 1000) * REQUESTS_PER_SECOND; sent < due; sent++) {
      void wire.send(request());
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

await load(2);
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
const [before, from] = [received, performance.now()];
writingMs = 0;
delay.enable();
await load(seconds);
delay.disable();
const perSecond = (received - before) / ((performance.now() - from) / 1000);
const milliseconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
await wire.close();
log.dispose();
rmSync(folder, { recursive: true, force: true });
process.stdout.write(
  JSON.stringify({
    p50: milliseconds(delay.percentile(50)),
    p99: milliseconds(delay.percentile(99)),
    max: milliseconds(delay.max),
    perSecond,
    events,
    gaps,
    projectingMs: writingMs,
    rows: timeline.total,
  }),
);
