// Accepts calls with 202 and never answers them.
import { listen, runAsScript } from './support/httpServer.mjs';

export function start() {
  return listen({ onCall: (_call, response) => response.writeHead(202).end() });
}

runAsScript(import.meta.url, start);
