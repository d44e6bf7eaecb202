// Starts a child that outlives it and holds its stdout, as launchers such as npx do, and tells the child's pid in the
// result of each call. argv: "exit" to exit right after the first call and leave the child behind.
import { spawn } from 'node:child_process';
import process from 'node:process';
import { send, serve, textResult } from './support/stdioServer.mjs';

const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 60_000)'], {
  stdio: ['ignore', 'inherit', 'inherit'],
});
child.unref();
serve({
  onCall: async ({ id }) => {
    await send(textResult(id, String(child.pid)));
    if (process.argv[2] === 'exit') {
      process.exit(0);
    }
  },
});
