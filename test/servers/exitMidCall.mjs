// Exits while a call is pending, after a line on stderr. argv: exit code, or a signal's name to die by. Default 3.
import process from 'node:process';
import { serve } from './support/stdioServer.mjs';

const how = process.argv[2] ?? '3';
serve({
  onCall: () => {
    process.stderr.write('fatal: lost the database\n', () => {
      if (how.startsWith('SIG')) {
        process.kill(process.pid, how);
      } else {
        process.exit(Number(how));
      }
    });
  },
});
