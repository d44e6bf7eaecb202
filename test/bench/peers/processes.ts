import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

/** The kernel tells processor time in hundredths of a second, whatever it counts in itself (proc(5), USER_HZ). */
const MS_A_TICK = 10;

/** Whether this system tells what a process of others uses (Linux). */
export const canMeasureProcesses = process.platform === 'linux';

/** Processor time of all threads of a process, those that have ended included, ms, in steps of 10. Its children are not in it. */
export function cpuMsOf(pid: number): number {
  const [user = Number.NaN, system = Number.NaN] = statOf(pid).slice(11, 13).map(Number);
  return (user + system) * MS_A_TICK;
}

/** Bytes that a process occupies; 0 when it has ended. */
export function residentBytesOf(pid: number): number {
  try {
    return 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** What a process was started with, its words apart by spaces; empty when it has ended. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

/** A process and all that it has started, directly or not. */
export function treeOf(pid: number): readonly number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), parentOf(Number(name))]),
  );
  const tree = [pid];
  for (let at = 0; at < tree.length; at += 1) {
    for (const [child, parent] of parents) {
      if (parent === tree[at]) {
        tree.push(child);
      }
    }
  }
  return tree;
}

function parentOf(pid: number): number {
  try {
    return Number(statOf(pid)[1]);
  } catch {
    return Number.NaN;
  }
}

/** The fields of /proc/PID/stat behind the name, which may hold anything: the first is the state. */
function statOf(pid: number): readonly string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
