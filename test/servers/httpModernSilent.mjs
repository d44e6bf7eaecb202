// A server of 2026-07-28 that opens a stream for each call and says nothing on it. `dropped()` counts the streams that the
// client closed.
import { openSse, runAsScript } from './support/httpServer.mjs';
import { listenModern } from './support/modern.mjs';

export async function start() {
  let dropped = 0;
  const server = await listenModern({
    onStream: ({ method }, response) => {
      if (method !== 'tools/call') {
        return false;
      }
      openSse(response);
      response.on('close', () => {
        dropped += 1;
      });
      return true;
    },
  });
  return { ...server, dropped: () => dropped };
}

runAsScript(import.meta.url, start);
