// Answers calls with their id as a string.
import { send, serve, textResult } from './support/stdioServer.mjs';

serve({ onCall: ({ id }) => send(textResult(String(id), 'done')) });
