import { z } from 'zod';
import type { Shop } from '../shop.ts';
import { type ToolGroup, text } from '../toolGroup.ts';

/** An HTTP answer in the place of a JSON-RPC one, as a proxy or a gateway gives it. */
export interface HttpRefusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The gateway's answer to a call of a tool, or `undefined` to let it through. */
export function httpRefusal(
  tool: string,
  { orderId }: Readonly<Record<string, unknown>>,
  shop: Shop,
): HttpRefusal | undefined {
  switch (tool) {
    case 'check_payment':
      return shop.countVisit(`check_payment ${String(orderId)}`) % 2 === 0
        ? { status: 503, headers: { 'retry-after': '1', 'content-type': 'text/plain' }, body: 'Busy, come back later' }
        : undefined;
    case 'get_exchange_rate':
      return {
        status: 502,
        headers: { 'content-type': 'text/html' },
        body: '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
      };
    default:
      return undefined;
  }
}

/** Tools that are only there over HTTP, behind a gateway that does not always let them through. */
export const registerHttpTools: ToolGroup = (server) => {
  const annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: true };
  server.registerTool(
    'check_payment',
    {
      title: 'Check payment',
      description: 'Whether an order has been paid.',
      inputSchema: { orderId: z.string() },
      annotations,
    },
    ({ orderId }) => text(`${orderId} is paid.`),
  );
  server.registerTool(
    'get_exchange_rate',
    {
      title: 'Get exchange rate',
      description: 'How many euros one unit of a currency is worth.',
      inputSchema: { currency: z.string() },
      // Not marked as safe to repeat: the gateway's error stands as it is, without a chain of attempts around it.
    },
    ({ currency }) => text(`1 ${currency} = 0.93 EUR`),
  );
};
