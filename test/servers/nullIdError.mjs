// Answers calls with a parse error that names no request. argv: "absent" to leave the id out instead of null.
import process from 'node:process';
import { send, serve } from './support/stdioServer.mjs';

const id = process.argv[2] === 'absent' ? {} : { id: null };
serve({ onCall: () => send({ jsonrpc: '2.0', ...id, error: { code: -32700, message: 'Parse error' } }) });
