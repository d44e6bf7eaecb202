// Preloaded into the VS Code server (node --require). When the process that started it is gone, even by SIGKILL, the other end of
// standard input closes and the server's whole process group goes, with the temporary folder that nobody else is left to
// remove. Processes that the server forks inherit the preload and have another standard input, hence the look at which
// script this is.
const fs = require('node:fs');

if (/server-main\.js$/.test(process.argv[1] ?? '')) {
  const { FAULTLINE_SCRATCH: scratch } = process.env;
  process.stdin
    .on('end', () => {
      try {
        fs.rmSync(scratch, { recursive: true, force: true });
      } catch {
        // Somebody still writes there: the folder stays.
      }
      process.kill(-process.pid, 'SIGKILL');
    })
    .resume();
  process.stdin.unref?.();
}
