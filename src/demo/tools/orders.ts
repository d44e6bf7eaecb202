import { UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { formatPrice } from '../shop.ts';
import { type ToolGroup, text, toolError } from '../toolGroup.ts';

/** Orders of more copies than this have to be paid before they are taken. */
const maxUnpaidQuantity = 50;

const row = z.object({ isbn: z.string(), title: z.string(), author: z.string(), priceCents: z.number() });

/** Why a row cannot be imported, or `undefined`. */
function reasonToReject(book: z.infer<typeof row>): string | undefined {
  if (!/^978-\d{10}$/.test(book.isbn)) {
    return 'not an ISBN-13';
  }
  if (book.priceCents <= 0) {
    return 'the price must be above zero';
  }
  return book.title.trim() === '' ? 'the title is empty' : undefined;
}

/** Changing things: `tool_error` done right, `input_required` and `partial`. */
export const registerOrderTools: ToolGroup = (server, shop) => {
  server.registerTool(
    'order_book',
    {
      title: 'Order book',
      description: `Order copies of a book. Orders of more than ${maxUnpaidQuantity} copies are paid in advance.`,
      inputSchema: { title: z.string().describe('Exact title'), quantity: z.number().describe('Copies, 1 or more') },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    ({ title, quantity }) => {
      const book = shop.byTitle(title);
      if (book === undefined) {
        return toolError(`No book is titled "${title}". Use search_books to find the exact title.`);
      }
      if (!Number.isInteger(quantity) || quantity < 1) {
        return toolError(`Cannot order ${quantity} copies: quantity must be a whole number of 1 or more.`);
      }
      if (quantity > maxUnpaidQuantity) {
        throw new UrlElicitationRequiredError([
          {
            mode: 'url',
            elicitationId: `payment-${book.isbn}`,
            url: `https://bookshop.example/pay/${book.isbn}?quantity=${quantity}`,
            message: `Pay ${formatPrice(quantity * book.priceCents)} to order ${quantity} copies of ${book.title}.`,
          },
        ]);
      }
      if (quantity > book.stock) {
        return toolError(`Only ${book.stock} of "${book.title}" in stock, ${quantity} were asked for.`);
      }
      const order = shop.order(book, quantity);
      return text(`${order.id}: ${quantity} × ${book.title}, ${formatPrice(order.totalCents)}`);
    },
  );

  server.registerTool(
    'import_rows',
    {
      title: 'Import rows',
      description: 'Add many books at once. Rows that cannot be added are named; the others are added all the same.',
      inputSchema: { rows: z.array(row).min(1) },
      outputSchema: {
        imported: z.number(),
        total: z.number(),
        rejected: z.array(z.object({ row: z.number(), title: z.string(), reason: z.string() })),
      },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    ({ rows }) => {
      const rejected = rows.flatMap((book, index) => {
        const reason = reasonToReject(book);
        if (reason === undefined) {
          shop.add({ ...book, year: 2026, stock: 1 });
          return [];
        }
        return [{ row: index + 1, title: book.title, reason }];
      });
      const imported = rows.length - rejected.length;
      const lines = rejected.map((entry) => `row ${entry.row} "${entry.title}": ${entry.reason}`);
      return {
        ...text([`Imported ${imported} of ${rows.length} rows.`, ...lines].join('\n')),
        structuredContent: { imported, total: rows.length, rejected },
      };
    },
  );
};
