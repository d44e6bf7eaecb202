// Answers calls with a result and an error at once.
import { send, serve, textResult } from './support/stdioServer.mjs';

serve({ onCall: ({ id }) => send({ ...textResult(id, 'done'), error: { code: 1, message: 'failed' } }) });
