// Frames its answers as the Language Server Protocol does, with a Content-Length header and no line end.
import process from 'node:process';
import { write } from './support/stdioServer.mjs';

process.stdin.on('data', () => {
  const body = '{"jsonrpc":"2.0","id":1,"result":{}}';
  write(`Content-Length: ${body.length}\r\n\r\n${body}`);
});
