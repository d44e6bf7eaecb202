// Exits before it reads anything, saying why on stderr. argv: exit code, default 1.
import process from 'node:process';

process.stderr.write('Error: API_TOKEN is not set\n');
process.exitCode = Number(process.argv[2] ?? 1);
