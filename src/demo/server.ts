#!/usr/bin/env node
import process from 'node:process';
import { parseArgs } from 'node:util';
import { messageOf } from '../base/messageOf.ts';
import { serveHttp } from './httpServer.ts';
import { serveStdio } from './stdioServer.ts';

/** `faultline-demo-server [--http [--port N]] [--until-stdin-ends]`: a bookshop over stdio, or over Streamable HTTP on loopback. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      http: { type: 'boolean', default: false },
      port: { type: 'string', default: '0' },
      'until-stdin-ends': { type: 'boolean', default: false },
    },
  });
  if (!values.http) {
    await serveStdio();
    return;
  }
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`--port must be a number from 0 to 65535, not "${values.port}"`);
  }
  if (values['until-stdin-ends']) {
    // Whoever started this as a helper may die without a word; its end of the pipe closes all the same.
    process.stdin.on('end', () => process.exit(0)).resume();
  }
  process.stderr.write(`listening on ${await serveHttp(port)}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 2;
});
