// What a tap over HTTP is compared with: a reverse proxy that does nothing else. `bareHttp.mjs URL`; says its port on stdout.
import http from 'node:http';
import process from 'node:process';
import { createProxyServer } from 'httpxy';

const agent = new http.Agent({ keepAlive: true });
const proxy = createProxyServer({ target: process.argv[2], agent, changeOrigin: true });
const server = http.createServer((request, response) => proxy.web(request, response));
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
