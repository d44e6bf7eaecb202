// @ts-check
// Preloaded (node --import) into everything that a run starts: when the process that started this one is killed outright,
// nobody is left to pass a signal on, so each child watches whose child it is.
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

const pollMs = 500;
const graceMs = 5000;

if (isMainThread) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) {
      clearInterval(timer);
      process.kill(process.pid, 'SIGTERM');
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs).unref();
    }
  }, pollMs);
  timer.unref();
}
