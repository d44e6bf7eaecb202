// A collector that takes everything and looks at nothing, in a process of its own: what it costs is not ours.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';

let bytes = 0;
let requests = 0;

const server = http.createServer((request, response) => {
  requests += 1;
  request.on('data', (part: Buffer) => {
    bytes += part.length;
  });
  request.on('end', () => response.end());
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('message', () => {
  process.send?.({ bytes, requests });
});
