import process from 'node:process';
import { tap } from './commands/tap.ts';

// A tap that the extension itself starts, of its own version: for VS Code's agent, or as a listener. Under VS Code's own
// executable, which has to be told to be Node.js; the server behind the tap may be an Electron of its own.
delete process.env['ELECTRON_RUN_AS_NODE'];
if (process.connected) {
  // Whoever started it holds the other end, and is gone when that closes, however it went.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // Listening for that must not keep a tap that has nothing to do, as one whose port is taken: it is started again once it ends.
  process.channel?.unref();
}
void tap(process.argv.slice(2));
