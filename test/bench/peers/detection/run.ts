import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../../../../src/base/messageOf.ts';
import { progress } from '../../bench.ts';
import type { PeerRow } from '../row.ts';
import { HOSTILE_INPUTS, type HostileInput, type Transcript } from './inputs.ts';
import { PROGRAMS, type Program, type Target } from './programs.ts';
import { type Detected, detected, scoreOf } from './score.ts';

const servers = path.resolve(import.meta.dirname, '../../../servers');
/** Most of the time is waiting for answers that do not come. */
const AT_ONCE = 8;
/** A busy machine may be too slow for a browser once. */
const ATTEMPTS = 3;
const MAX_WRITTEN_CHARS = 100_000;

/** What each program makes of each hostile input. The transcripts are written into `kept` when it is a folder. */
export async function detection(kept: string | undefined): Promise<readonly PeerRow[]> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'faultline-bench-detection-'));
  const all = new Map(PROGRAMS.map(({ name }) => [name, [] as (Detected | undefined)[]]));
  const jobs = HOSTILE_INPUTS.flatMap((input) =>
    PROGRAMS.filter(({ transports }) => transports.includes(input.server.transport)).map((program) => async () => {
      const transcript = await asked(program, input, scratch);
      const found = transcript === undefined ? undefined : detected(input, transcript);
      all.get(program.name)?.push(found);
      progress(`detection: ${input.name}: ${program.name}: ${told(found)}`);
      if (kept !== undefined && transcript !== undefined) {
        write(kept, `${program.name} ${input.name}`, found, transcript);
      }
    }),
  );
  try {
    await atOnce(jobs);
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
  const rows = (what: 'shown' | 'right' | 'kept', measure: string) =>
    PROGRAMS.map(({ name }) => {
      const score = scoreOf(all.get(name) ?? []);
      return {
        measure: `hostile inputs: ${measure}`,
        subject: name,
        value: score[what] / score.asked,
        unit: '',
        note: `${score[what]} of ${score.asked}`,
      };
    });
  return [
    ...rows('shown', 'shown at all'),
    ...rows('right', 'told for what they are'),
    ...rows('kept', 'payload kept'),
  ];
}

const told = (found: Detected | undefined) =>
  found === undefined
    ? 'not asked'
    : Object.entries(found)
        .map(([what, isSo]) => `${isSo ? '' : 'not '}${what}`)
        .join(', ');

/** Undefined when it could not be asked: what this machine does not get done says nothing of a program. */
async function asked(program: Program, input: HostileInput, scratch: string): Promise<Transcript | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { target, close } = await reached(input);
    try {
      return await program.ask(target, mkdtempSync(path.join(scratch, 'home-')));
    } catch (error) {
      progress(`detection: ${input.name}: ${program.name} could not be asked: ${messageOf(error).split('\n')[0]}`);
    } finally {
      await close();
    }
  }
  return undefined;
}

function write(folder: string, name: string, found: Detected | undefined, { seen, recorded }: Transcript): void {
  mkdirSync(folder, { recursive: true });
  const text = [told(found), '== seen', shortened(seen), '== recorded', shortened(recorded ?? '')].join('\n\n');
  writeFileSync(path.join(folder, `${name.replaceAll(/[^\w]+/g, '-')}.txt`), text);
}

/** For whoever reads it: some inputs are megabytes long. */
function shortened(text: string): string {
  return text.length <= MAX_WRITTEN_CHARS
    ? text
    : `${text.slice(0, MAX_WRITTEN_CHARS)}\n[${text.length - MAX_WRITTEN_CHARS} characters more]`;
}

interface HttpServer {
  readonly url: string;
  close(): Promise<unknown>;
}

async function reached({ server }: HostileInput): Promise<{ readonly target: Target; close(): Promise<unknown> }> {
  const file = path.join(servers, `${server.file}.mjs`);
  if (server.transport === 'stdio') {
    return { target: { command: [process.execPath, file, ...server.args] }, close: async () => undefined };
  }
  const module: { start(options: object): Promise<HttpServer> } = await import(pathToFileURL(file).href);
  const { url, close } = await module.start(server.options);
  return { target: { url }, close };
}

async function atOnce(jobs: readonly (() => Promise<void>)[]): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < jobs.length) {
      const job = jobs[next];
      next += 1;
      await job?.();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
