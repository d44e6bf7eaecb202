// Answers calls with "é" and U+2028 in raw, its bytes written one at a time.
import { serve, textResult, write } from './support/stdioServer.mjs';

serve({
  onCall: async ({ id }) => {
    for (const byte of Buffer.from(`${JSON.stringify(textResult(id, 'é\u2028ü'))}\n`)) {
      await write(Uint8Array.of(byte));
    }
  },
});
