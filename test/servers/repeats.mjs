// Answers every call with the secret that it was started with.
import process from 'node:process';
import { send, serve, textResult } from './support/stdioServer.mjs';

serve({ onCall: ({ id }) => send(textResult(id, `the key is ${process.env.API_KEY}`)) });
