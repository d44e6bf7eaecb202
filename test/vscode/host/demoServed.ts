import { rmSync } from 'node:fs';
import process from 'node:process';
import { packExtension } from '../../tools/lib/build.mjs';
import { demoEnv, demoFolder } from './demoWorkspace.ts';
import { startServer, workbenchUrl } from './server.ts';
import { prepareHome } from './workbench.ts';

/** Serves VS Code with the demo on the loopback interface until a signal ends it; returns the exit code. */
export async function serveDemo(port: number, note: (text: string) => void): Promise<number> {
  await packExtension(note);
  const home = await prepareHome({ folder: demoFolder, env: demoEnv });
  try {
    const server = await startServer({ ...home.serverOptions, port });
    let isTold = false;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        isTold = true;
        void server.stop();
      });
    }
    note('\nOpen this address in a browser. It holds a secret token: whoever has it can use this VS Code.');
    process.stdout.write(`\n  ${workbenchUrl(server, { folder: home.folder })}\n\n`);
    note(`The demo starts when the page is open. It works on a copy: ${home.folder}\nCtrl+C ends it.`);
    await server.exited;
    if (!isTold) {
      note(`The VS Code server ended by itself:\n${server.log().slice(-4000)}`);
    }
    await server.stop();
    return isTold ? 0 : 1;
  } finally {
    rmSync(home.scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}
