import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../../../../src/base/messageOf.ts';
import { progress } from '../../bench.ts';
import type { PeerRow } from '../row.ts';
import { HOSTILE_INPUTS, type HostileInput, type Transcript } from './inputs.ts';
import { folderFor, PROGRAMS, type Program, type Target } from './programs.ts';
import { type Detected, detected, scoreOf } from './score.ts';

const servers = path.resolve(import.meta.dirname, '../../../servers');
/** Most of the time is waiting for answers that do not come. */
const AT_ONCE = 5;

/** What each program makes of each hostile input. The transcripts are written into `kept` when it is a folder. */
export async function detection(kept: string | undefined): Promise<readonly PeerRow[]> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'faultline-bench-detection-'));
  const all = new Map(PROGRAMS.map(({ name }) => [name, [] as (Detected | undefined)[]]));
  const jobs = HOSTILE_INPUTS.flatMap((input) =>
    PROGRAMS.filter(({ transports }) => transports.includes(input.server.transport)).map((program) => async () => {
      const transcript = await asked(program, input, scratch);
      const found = detected(input, transcript);
      all.get(program.name)?.push(found);
      progress(`detection: ${input.name}: ${program.name}: ${told(found)}`);
      if (kept !== undefined) {
        mkdirSync(kept, { recursive: true });
        const file = path.join(kept, `${path.basename(folderFor(scratch, program.name, input.name))}.txt`);
        const text = `${told(found)}\n\n== seen\n${transcript.seen}\n\n== recorded\n${transcript.recorded ?? ''}`;
        writeFileSync(
          file,
          text.replaceAll(/x{1000,}/g, (run) => `(${run.length} x)`),
        );
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
        note: `${score[what]} of the ${score.asked} that it can meet`,
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

async function asked(program: Program, input: HostileInput, scratch: string): Promise<Transcript> {
  const { target, close } = await reached(input);
  try {
    return await program.ask(target, folderFor(scratch, program.name, input.name));
  } catch (error) {
    // What it cannot do at all is part of what it makes of the input.
    return { seen: `[could not be asked: ${messageOf(error)}]`, recorded: '' };
  } finally {
    await close();
  }
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
