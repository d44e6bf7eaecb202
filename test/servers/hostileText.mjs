// Answers calls with markup, a bidi override, an ANSI sequence and a megabyte in one line.
import { send, serve, textResult } from './support/stdioServer.mjs';

const text = `<img onerror=x>\u202e\u001b[31m${'x'.repeat(1024 * 1024)}`;
serve({ onCall: ({ id }) => send(textResult(id, text)) });
