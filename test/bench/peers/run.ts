/**
 * `npm run bench:peers [-- OPTIONS]`: Faultline beside other MCP tools of the npm registry, as a Markdown table a part on stdout, all
 * numbers of a table from one run; what goes on to stderr. Ends with 1 when a part could not run.
 *
 * --part NAME        tap, burst, detection, recorded or lint; may be repeated; all by default
 * --write            write each table into docs/benchmarks.md, between its markers
 * --corpus DIR       labelled files for the lint, as docs/lint-accuracy.md says, with their labels*.jsonl in DIR
 * --rounds N         of the tap, default 5
 * --counts N,N       messages of each burst, of those that burstServer.mjs has; default 100,1000,10000,100000
 * --limit-s N        after which a burst is given up, default 180
 * --transcripts DIR  write what each program has shown of each hostile input
 */
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { packExtension } from '../../tools/lib/build.mjs';
import { newestVscode } from '../../tools/lib/versions.mjs';
import { launchBrowser } from '../../vscode/host/browser.ts';
import { progress } from '../bench.ts';
import { bursts } from './burst.ts';
import { detection } from './detection/run.ts';
import { installPeers, PEERS } from './install.ts';
import { lintAccuracy } from './lintAccuracy.ts';
import { canMeasureProcesses } from './processes.ts';
import { recordedExchanges } from './recorded.ts';
import type { PeerRow } from './row.ts';
import { peerTable, type RunFacts, withTable } from './table.ts';
import { tapCost } from './tapCost.ts';

const document = path.resolve(import.meta.dirname, '../../../docs/benchmarks.md');

const { values: options } = parseArgs({
  options: {
    part: { type: 'string', multiple: true },
    write: { type: 'boolean', default: false },
    corpus: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    counts: { type: 'string', default: '100,1000,10000,100000' },
    'limit-s': { type: 'string', default: '180' },
    transcripts: { type: 'string' },
  },
});

interface Part {
  run(): Promise<readonly PeerRow[]>;
  /** What stands beside us in it. */
  readonly peers: readonly (keyof typeof PEERS)[];
  readonly needsBrowser?: boolean;
}

const PARTS: Readonly<Record<string, Part>> = {
  tap: {
    run: async () => {
      if (!canMeasureProcesses) {
        throw new Error('only Linux tells what another process uses');
      }
      return tapCost(Number(options.rounds));
    },
    peers: ['mcp-proxy', 'supergateway', 'mcp-remote'],
  },
  burst: {
    run: async () => {
      await packExtension(progress);
      return bursts({
        counts: options.counts.split(',').map(Number),
        limitMs: Number(options['limit-s']) * 1000,
      });
    },
    peers: ['@modelcontextprotocol/inspector'],
    needsBrowser: true,
  },
  detection: {
    run: () => detection(options.transcripts),
    peers: Object.keys(PEERS) as (keyof typeof PEERS)[],
  },
  recorded: { run: async () => recordedExchanges(), peers: [] },
  lint: { run: () => lintAccuracy(options.corpus), peers: [] },
};

async function factsOf({ peers, needsBrowser = false }: Part): Promise<RunFacts> {
  const gigabytes = Math.round(os.totalmem() / 1e9);
  const load = (os.loadavg()[0] ?? 0).toFixed(1);
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${os.type()}, ${os.availableParallelism()} cores, ${gigabytes} GB, load ${load}`,
    versions: [
      `Node.js ${process.versions.node}`,
      ...(needsBrowser ? await browserVersions() : []),
      ...peers.map((name) => `\`${name}\` ${PEERS[name]}`),
    ],
  };
}

async function browserVersions(): Promise<readonly string[]> {
  const browser = await launchBrowser(progress);
  const version = browser.version();
  await browser.close();
  return [`Chromium ${version}`, `VS Code ${newestVscode.vscode}`];
}

/** Runs one part, prints its table, and writes it where that is asked for. Throws when it could not. */
async function compare(name: string): Promise<void> {
  const part = PARTS[name];
  if (part === undefined) {
    throw new Error(`there is no part ${name}`);
  }
  const facts = await factsOf(part);
  const table = peerTable(await part.run(), facts);
  process.stdout.write(`${table}\n\n`);
  if (options.write) {
    const written = withTable(readFileSync(document, 'utf8'), name, table);
    if (written === undefined) {
      throw new Error(`${document} has no place for its table`);
    }
    writeFileSync(document, written);
  }
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  // What was started ends as this process exits, not as it is killed.
  process.on(signal, () => process.exit(code));
}
let isGood = installPeers();
for (const name of options.part ?? Object.keys(PARTS)) {
  try {
    await compare(name);
  } catch (error) {
    progress(`${name} could not run: ${error instanceof Error ? error.stack : error}`);
    isGood = false;
  }
}
process.exit(isGood ? 0 : 1);
