import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect } from 'vitest';
import { systemClock } from '../../../src/base/systemClock.ts';
import { createStdioWire, type StdioWireOptions } from '../../../src/core/transport/stdioWire.ts';
import type { StdioWire } from '../../../src/core/transport/wire.ts';
import { MemorySink, testContext, WireProbe } from '../../unit/core/transport/wireProbe.ts';

/** Where the misbehaving servers are. */
export const servers = path.resolve(import.meta.dirname, '../../servers');
const opened: StdioWire[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((wire) => wire.close()));
});

export interface Opened {
  readonly wire: StdioWire;
  readonly sink: MemorySink;
  readonly probe: WireProbe;
}

/** A wire to `<server>.mjs <args>`, or to another definition, not started. */
export function create(server: string, args: readonly string[] = [], options: Partial<StdioWireOptions> = {}): Opened {
  const sink = new MemorySink();
  const wire = createStdioWire({
    definition: { command: process.execPath, args: [path.join(servers, `${server}.mjs`), ...args], env: {} },
    context: testContext,
    sink,
    clock: systemClock,
    stdinGraceMs: 2000,
    termGraceMs: 2000,
    ...options,
  });
  opened.push(wire);
  return { wire, sink, probe: new WireProbe(wire) };
}

/** The same, started. */
export async function open(...args: Parameters<typeof create>): Promise<Opened> {
  const result = create(...args);
  expect(await result.wire.start()).toBeUndefined();
  return result;
}

/** A call of the tool that every server here has. */
export const call = (id: number | string) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'work', arguments: {} } });

/** A zombie, which only waits for its parent to notice, does not run. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, 'utf8'));
}

/** The text of the first tool result that arrived. */
export function textOf(probe: WireProbe): string | undefined {
  return /"text":"([^"]*)"/.exec(probe.received[0]?.raw ?? '')?.[1];
}
