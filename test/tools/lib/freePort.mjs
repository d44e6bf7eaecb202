// @ts-check
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port of this machine that nobody listens on now. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
