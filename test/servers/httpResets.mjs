// Drops the connection when a call arrives, without an answer.
import { listen, runAsScript } from './support/httpServer.mjs';

export function start() {
  return listen({ onCall: (_call, response) => response.socket?.resetAndDestroy() });
}

runAsScript(import.meta.url, start);
