import process from 'node:process';

/** `node:sqlite` and the language that the sources are written in came with it. */
const oldestNode = 22;

// Only what an old Node.js understands is loaded before this check, or it would die of the first import instead.
if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  process.stderr.write(
    `faultline needs Node.js ${oldestNode} or later; this is ${process.versions.node} (${process.execPath}).\n`,
  );
  process.exitCode = 2;
} else if (process.argv[2] === 'tap') {
  // In the way of somebody else's client: it loads nothing that it does not need.
  void import('./commands/tap.ts').then(({ tap }) => tap(process.argv.slice(3)));
} else {
  void import('./program.ts').then(({ run }) => run(process.argv));
}
