import { z } from 'zod';
import { type RawTool, resultMessage, text } from '../toolGroup.ts';

/** `invalid_response`: JSON-RPC 2.0 §5 allows a result or an error, never both. */
const getCover: RawTool = {
  name: 'get_cover',
  title: 'Get cover',
  description: 'Where to find a picture of a book’s cover.',
  inputSchema: { isbn: z.string() },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  answer: (call) => {
    const { isbn } = call.args;
    const result = text(`https://bookshop.example/covers/${String(isbn)}.png`);
    call.send({ jsonrpc: '2.0', id: call.id, result, error: { code: 0, message: 'OK' } });
    call.endStream();
  },
};

/** Stdout noise: the classic forgotten debug line, followed by a good answer. */
const printReceipt: RawTool = {
  name: 'print_receipt',
  title: 'Print receipt',
  description: 'Print the receipt of an order.',
  inputSchema: { orderId: z.string() },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  answer: (call) => {
    const { orderId } = call.args;
    call.print(`[receipts] DEBUG printing ${String(orderId)} on /dev/usb/lp0`);
    call.send(resultMessage(call, text(`Receipt of ${String(orderId)} printed.`)));
  },
};

/** Two answers to one request; the second is not the first again, so dropping it silently would lose something. */
const getStock: RawTool = {
  name: 'get_stock',
  title: 'Get stock',
  description: 'Copies of a book in both warehouses.',
  inputSchema: { isbn: z.string() },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  answer: (call) => {
    call.send(resultMessage(call, text('north: 5 copies')));
    call.send(resultMessage(call, text('south: 2 copies')));
  },
};

/** `transport_error`: the server is gone in mid-call, with its reason on stderr. */
const reindexCatalogue: RawTool = {
  name: 'reindex_catalogue',
  title: 'Reindex catalogue',
  description: 'Rebuild the search index.',
  inputSchema: { isFull: z.boolean().default(false) },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  answer: (call) => call.crash('reindex: out of memory while merging segment 4'),
};

/** Mistakes below the protocol's level, which an SDK would hide. */
export const wireTools: readonly RawTool[] = [getCover, printReceipt, getStock, reindexCatalogue];
