import process from 'node:process';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { connectBookshop, createBookshop } from './bookshop.ts';
import { Shop } from './shop.ts';

/** Serves over stdin and stdout until stdin ends. */
export async function serveStdio(): Promise<void> {
  const shop = new Shop();
  process.stdin.on('end', () => process.exit(0));
  process.stderr.write('bookshop is open\n');
  await connectBookshop(createBookshop(shop), new StdioServerTransport(), shop, {
    print: (line) => process.stdout.write(`${line}\n`),
    // The last words must be out before the process is gone, or nobody learns why.
    crash: (lastWords) => process.stderr.write(`${lastWords}\n`, () => process.exit(3)),
    endStream: () => undefined,
  });
}
