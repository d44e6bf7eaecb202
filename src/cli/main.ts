import process from 'node:process';

/** `node:sqlite` needs no flag from there on, and the language that the sources are written in is known. */
const oldestNode = [22, 13] as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

// Only what an old Node.js understands is loaded before this check, or it would die of the first import instead.
if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
  process.stderr.write(
    `faultline needs Node.js ${oldestNode.join('.')} or later; this is ${process.versions.node} (${process.execPath}).\n`,
  );
  process.exitCode = 2;
} else if (process.argv[2] === 'tap') {
  // In the way of somebody else's client: it loads nothing that it does not need.
  void import('./commands/tap.ts').then(({ tap }) => tap(process.argv.slice(3)));
} else {
  void import('./program.ts').then(({ run }) => run(process.argv));
}
