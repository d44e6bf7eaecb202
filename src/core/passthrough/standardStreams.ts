import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';

/** The streams that a process was given, and what `end` of a stream does not do for them. */
export interface StandardStreams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Whether a terminal is at stdin, whose Ctrl+C reaches every process of the group by itself. */
  readonly isTerminal: boolean;
  /** Lets go of stdin, so that whoever writes to it learns that nobody reads. */
  closeStdin(): void;
  /** Ends stdout or stderr for its reader, once what was written has been taken. */
  closeOutput(which: 'stdout' | 'stderr'): void;
}

const FILES = { stdin: 0, stdout: 1, stderr: 2 } as const;

/** Those of this process. Node.js keeps them open until it exits, while pipes are told apart by when they end. */
export function thisProcessStreams(): StandardStreams {
  const { stdin, stdout, stderr } = process;
  return {
    stdin,
    stdout,
    stderr,
    isTerminal: stdin.isTTY === true,
    closeStdin() {
      stdin.destroy();
      replace(FILES.stdin);
    },
    closeOutput(which) {
      const stream = which === 'stdout' ? stdout : stderr;
      if (!stream.isTTY) {
        stream.write('', () => replace(FILES[which]));
      }
    },
  };
}

/** Closes a descriptor and puts the null device in its place: a file that got its number would be written to as stdout. */
function replace(descriptor: number): void {
  try {
    closeSync(descriptor);
    openSync(devNull, 'r+');
  } catch {
    // Closed already: what was wanted.
  }
}
