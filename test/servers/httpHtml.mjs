// Answers calls with status 200 and an HTML page, as a login page or a proxy does.
import { listen, runAsScript } from './support/httpServer.mjs';

export function start() {
  return listen({
    onCall: (_call, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end('<!doctype html><title>Sign in</title><p>Please sign in.</p>');
    },
  });
}

runAsScript(import.meta.url, start);
