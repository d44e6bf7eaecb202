// Offers the GET stream and sends a request and a notification on it.
import { listen, openSse, runAsScript } from './support/httpServer.mjs';

export function start() {
  return listen({
    onGet: (_request, response) => {
      openSse(response);
      response.write('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n');
      response.write('data: {"jsonrpc":"2.0","id":0,"method":"ping"}\n\n');
      return true;
    },
  });
}

runAsScript(import.meta.url, start);
