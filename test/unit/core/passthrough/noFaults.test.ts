import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { PassThrough, Transform } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/base/systemClock.ts';
import { createFaultEngine } from '../../../../src/core/passthrough/faults/engine.ts';
import { createStdioFaults } from '../../../../src/core/passthrough/faults/stdioFaults.ts';
import { runStdioTap, type StdioTapOptions } from '../../../../src/core/passthrough/stdioTap.ts';
import type { Tape } from '../../../../src/core/passthrough/tape.ts';

const nothing = () => undefined;
const tape: Tape = { passed: nothing, happened: nothing, flush: nothing, recorded: nothing, lost: nothing };

/** What the client's stdout is piped from, and how many listen to what the client says. */
async function wiring(faults: StdioTapOptions['faults']): Promise<{ source: unknown; listeners: number }> {
  const streams = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    isTerminal: false,
    closeStdin: () => undefined,
    closeOutput: () => undefined,
  };
  let source: unknown;
  streams.stdout.on('pipe', (from) => {
    source = from;
  });
  streams.stdout.resume();
  streams.stderr.resume();
  const ended = runStdioTap({ command: process.execPath, args: ['-e', ''], streams, tape, clock: systemClock, faults });
  const listeners = streams.stdin.listenerCount('data');
  streams.stdin.end();
  await ended;
  return { source, listeners };
}

describe('a tap without faults', () => {
  it.each([
    'cli/commands/tap.ts',
    'cli/commands/tapHttp.ts',
    'core/passthrough/stdioTap.ts',
    'core/passthrough/httpTap.ts',
    'core/passthrough/forward.ts',
    'core/transport/stdioWire.ts',
    'core/transport/httpWire.ts',
  ])('loads nothing of them: %s', (file) => {
    const source = readFileSync(path.resolve(import.meta.dirname, '../../../../src', file), 'utf8');
    const imports = source.match(/^import [^;]*;/gm) ?? [];
    expect(imports.filter((each) => /faults/i.test(each) && !each.startsWith('import type '))).toEqual([]);
  });

  it('has nothing between the streams, and nobody who reads along but the tape', async () => {
    const { source, listeners } = await wiring(undefined);
    expect(source).not.toBeInstanceOf(Transform);
    // `pipe` itself and the tape.
    expect(listeners).toBe(2);
  });

  it('is told apart by this test from one with faults', async () => {
    const rules = [{ fault: { type: 'dropAnswer' } }] as const;
    const engine = createFaultEngine({ plan: { rules }, transport: 'stdio', server: ['x'], clock: systemClock });
    const { source, listeners } = await wiring(createStdioFaults(engine, systemClock));
    expect(source).toBeInstanceOf(Transform);
    expect(listeners).toBe(3);
  });
});
