// Refuses each call with -32042 until a person has opened the page that it names, which it serves itself.
import http from 'node:http';
import { send, serve, textResult } from './support/stdioServer.mjs';

let isVisited = false;
const page = http.createServer((_request, response) => {
  isVisited = true;
  response
    .writeHead(200, { 'content-type': 'text/html', connection: 'close' })
    .end('<!doctype html><title>Pay</title><p>Thank you</p>');
});
await new Promise((resolve) => page.listen(0, '127.0.0.1', resolve));
page.unref();
const url = `http://127.0.0.1:${page.address().port}/pay?order=4711`;

serve({
  onCall: ({ id }) => {
    const elicitations = [{ mode: 'url', elicitationId: 'e1', url, message: 'Pay for order 4711 first.' }];
    send(
      isVisited
        ? textResult(id, 'done')
        : { jsonrpc: '2.0', id, error: { code: -32042, message: 'Payment is required', data: { elicitations } } },
    );
  },
});
