// Answers calls over SSE byte by byte, with "é" and U+2028 in raw.
import { listen, openSse, runAsScript, textResult } from './support/httpServer.mjs';

export function start() {
  return listen({
    onCall: async ({ id }, response) => {
      openSse(response);
      for (const byte of Buffer.from(`data: ${JSON.stringify(textResult(id, 'é\u2028ü'))}\r\n\r\n`)) {
        await new Promise((resolve) => response.write(Uint8Array.of(byte), () => setImmediate(resolve)));
      }
      response.end();
    },
  });
}

runAsScript(import.meta.url, start);
