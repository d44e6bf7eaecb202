// Neither the end of stdin nor SIGTERM stops it: only SIGKILL does.
import process from 'node:process';
import { serve } from './support/stdioServer.mjs';

process.on('SIGTERM', () => process.stderr.write('ignoring SIGTERM\n'));
setInterval(() => undefined, 60_000);
serve();
