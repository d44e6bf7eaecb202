/**
 * `npm run fault-matrix`: meets one call with each fault over each transport, and prints what became of it, what of a tool that
 * may be repeated, and how long after the fault the next call succeeded. Written to `docs/fault-matrix.md`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { CallOutcome } from '../../src/protocol/call.ts';
import type { HttpDefinition, StdioDefinition } from '../../src/protocol/definition.ts';
import { createReal, define, http, idOf, testServer } from '../integration/client/support.ts';

const TIMEOUT_MS = 500;

/** A server that meets its first call with the fault, and a way to be rid of it. */
interface Target {
  readonly transport: StdioDefinition | HttpDefinition;
  close(): Promise<void>;
}

interface Case {
  readonly fault: string;
  readonly transport: string;
  open(): Promise<Target>;
}

interface Row {
  readonly fault: string;
  readonly transport: string;
  readonly once: string;
  readonly repeated: string;
  readonly recoveredMs: number;
}

const servers = path.resolve(import.meta.dirname, '../servers');

function stdioCases(): readonly Case[] {
  const source = readFileSync(path.join(servers, 'faultOnce.mjs'), 'utf8');
  const listed = source.slice(source.indexOf('const faults'), source.indexOf('serve('));
  const faults = [...listed.matchAll(/^ {2}(?:'([^']+)'|(\w+)): /gm)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  return faults.map((fault) => ({
    fault,
    transport: 'stdio',
    open: async () => {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'faultline-matrix-'));
      return {
        transport: testServer('faultOnce', fault, path.join(folder, 'met')),
        close: async () => rmSync(folder, { recursive: true, force: true }),
      };
    },
  }));
}

async function httpCases(): Promise<readonly Case[]> {
  const once: {
    readonly FAULTS: readonly string[];
    start(options: object): Promise<{ readonly url: string; close(): Promise<void> }>;
  } = await import('../servers/httpFaultOnce.mjs');
  const of = (fault: string, name: string, options: object): Case => ({
    fault,
    transport: name === 'httpLegacySse' ? 'HTTP+SSE' : name === 'httpModernRefuses' ? 'HTTP, 2026-07-28' : 'HTTP',
    open: async () => {
      const module: typeof once = await import(`../servers/${name}.mjs`);
      const server = await module.start(options);
      return { transport: http(server.url), close: () => server.close() };
    },
  });
  return [
    ...once.FAULTS.map((fault) => of(fault, 'httpFaultOnce', { fault })),
    of('stream broken off, resumed', 'httpSseEndsEarly', { how: 'resume' }),
    of('-32020 on Mcp-Param-*', 'httpModernRefuses', { what: 'header' }),
    of('-32021', 'httpModernRefuses', { what: 'capability' }),
    of('-32022', 'httpModernRefuses', { what: 'version' }),
    of('stream that ends', 'httpLegacySse', { how: 'ends-once' }),
  ];
}

async function meet(
  { open }: Case,
  isIdempotent: boolean,
): Promise<{ readonly outcome: CallOutcome; readonly recoveredMs: number }> {
  const target = await open();
  const id = idOf('a');
  const settings = { timeoutMs: TIMEOUT_MS, baseMs: 50 };
  const real = createReal([define('a', target.transport)], settings, {
    toolPolicy: () => (isIdempotent ? { isIdempotent } : undefined),
  });
  const call = (note: string) =>
    real.pool.call({
      server: id,
      method: 'tools/call',
      params: { name: 'work', arguments: { region: 'eu', note } },
      origin: 'client',
    });
  try {
    await real.pool.connect(id);
    for (let tries = 0; tries < 100 && real.pool.tools(id).length === 0; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const start = performance.now();
    const outcome = await call('first');
    const isGood = outcome.kind === 'success' || (await call('next')).kind === 'success';
    return { outcome, recoveredMs: isGood ? Math.round(performance.now() - start) : Number.NaN };
  } finally {
    await real.pool.dispose();
    await target.close();
  }
}

const told = ({ kind, attempts, isAmbiguous }: CallOutcome) =>
  `${kind}${attempts.length > 1 ? `, attempt ${attempts.length}` : ''}${isAmbiguous === true ? ', ambiguous' : ''}`;

const rows: Row[] = [];
for (const one of [...stdioCases(), ...(await httpCases())]) {
  const once = await meet(one, false);
  const repeated = await meet(one, true);
  rows.push({
    fault: one.fault,
    transport: one.transport,
    once: told(once.outcome),
    repeated: told(repeated.outcome),
    recoveredMs: once.recoveredMs,
  });
  process.stderr.write(
    `${one.transport} ${one.fault}: ${told(once.outcome)}; ${told(repeated.outcome)}; ${once.recoveredMs} ms\n`,
  );
}
const line = (row: Row) =>
  `| ${row.transport} | ${row.fault} | ${row.once} | ${row.repeated} | ${Number.isNaN(row.recoveredMs) ? 'not' : row.recoveredMs} |`;
const table = `# Fault matrix

Printed by \`npm run fault-matrix\`: one call meets the fault, the next one does not. The limit for silence is ${TIMEOUT_MS} ms, the
first wait before a repetition 50 ms. "May be repeated" is a tool that the settings call idempotent. Recovered is the time from
sending the call that met the fault to the first call that succeeded, of the tool of which nothing is known.

| transport | fault | call of any tool | call that may be repeated | recovered after ms |
| --- | --- | --- | --- | --- |
${rows.map(line).join('\n')}
`;
process.stdout.write(table);
writeFileSync(path.resolve(import.meta.dirname, '../../docs/fault-matrix.md'), table);
process.exit(rows.every(({ recoveredMs }) => !Number.isNaN(recoveredMs)) ? 0 : 1);
