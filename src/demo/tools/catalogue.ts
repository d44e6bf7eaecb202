import { z } from 'zod';
import { type Book, formatPrice } from '../shop.ts';
import { type ToolGroup, text, toolError } from '../toolGroup.ts';

const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

function describe(book: Book): string {
  return `${book.title} by ${book.author} (${book.year}), ${formatPrice(book.priceCents)}, ${book.stock} in stock, ISBN ${book.isbn}`;
}

/** Looking things up: `success`, `tool_error`, and the `silent_error` of `get_author`. */
export const registerCatalogueTools: ToolGroup = (server, shop) => {
  server.registerTool(
    'search_books',
    {
      title: 'Search books',
      description: 'Find books whose title or author contains the query. No match is an empty list, not an error.',
      inputSchema: { query: z.string().describe('Part of a title or of an author’s name') },
      annotations: readOnly,
    },
    ({ query }) => {
      const books = shop.search(query);
      return text(books.length === 0 ? `No books match "${query}".` : books.map(describe).join('\n'));
    },
  );

  server.registerTool(
    'get_book',
    {
      title: 'Get book',
      description: 'Everything about one book.',
      inputSchema: { isbn: z.string().describe('ISBN-13, as search_books gives it') },
      outputSchema: {
        isbn: z.string(),
        title: z.string(),
        author: z.string(),
        year: z.number(),
        priceCents: z.number(),
        stock: z.number(),
      },
      annotations: readOnly,
    },
    ({ isbn }) => {
      const book = shop.byIsbn(isbn);
      return book === undefined
        ? toolError(`No book has ISBN ${isbn}. Use search_books to find it.`)
        : { ...text(describe(book)), structuredContent: { ...book } };
    },
  );

  server.registerTool(
    'get_author',
    {
      title: 'Get author',
      description: 'The author of a book, by its exact title.',
      inputSchema: { title: z.string().describe('Exact title') },
      annotations: readOnly,
    },
    ({ title }) => {
      const book = shop.byTitle(title);
      // The failure is told in the text alone, so it counts as an answer.
      // faultline-disable-next-line FL001 -- the mistake that this tool is here to show
      return text(book === undefined ? `Error: no book titled '${title}'` : book.author);
    },
  );

  // Without annotations, as most tools in the wild: no client may repeat it unasked.
  server.registerTool(
    'print_label',
    {
      title: 'Print shelf label',
      description: 'Print a label for the shelf.',
      inputSchema: { title: z.string(), author: z.string() },
    },
    ({ title, author }) => text(`Label printed: "${title}" by ${author}`),
  );
};
