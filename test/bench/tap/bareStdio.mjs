// What a tap is compared with: a process that forwards the standard streams of a server and does nothing else.
import { spawn } from 'node:child_process';
import process from 'node:process';

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: 'pipe' });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
child.stderr.pipe(process.stderr);
child.on('close', (code) => process.exit(code ?? 1));
