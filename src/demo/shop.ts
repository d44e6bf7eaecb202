/** One title of the shop. Prices in cents. */
export interface Book {
  readonly isbn: string;
  readonly title: string;
  readonly author: string;
  readonly year: number;
  readonly priceCents: number;
  readonly stock: number;
}

export interface Order {
  readonly id: string;
  readonly isbn: string;
  readonly quantity: number;
  readonly totalCents: number;
}

const openingBooks: readonly Book[] = [
  { isbn: '978-0441172719', title: 'Dune', author: 'Frank Herbert', year: 1965, priceCents: 1099, stock: 12 },
  {
    isbn: '978-0441478125',
    title: 'The Left Hand of Darkness',
    author: 'Ursula K. Le Guin',
    year: 1969,
    priceCents: 1250,
    stock: 4,
  },
  { isbn: '978-0553293357', title: 'Foundation', author: 'Isaac Asimov', year: 1951, priceCents: 899, stock: 7 },
  { isbn: '978-0441569595', title: 'Neuromancer', author: 'William Gibson', year: 1984, priceCents: 1199, stock: 0 },
  {
    isbn: '978-0316005388',
    title: 'The Player of Games',
    author: 'Iain M. Banks',
    year: 1988,
    priceCents: 1350,
    stock: 3,
  },
  { isbn: '978-1857988079', title: 'Kindred', author: 'Octavia E. Butler', year: 1979, priceCents: 1150, stock: 6 },
];

/** The bookshop behind every tool. It opens in the same state each time, so that a demo can be told in advance. */
export class Shop {
  private readonly books = new Map(openingBooks.map((book) => [book.isbn, book]));
  private orders = 0;
  private readonly visits = new Map<string, number>();

  /** Books whose title or author contains `query`, without regard to case, in catalogue order. */
  search(query: string): readonly Book[] {
    const wanted = query.toLowerCase();
    return [...this.books.values()].filter((book) => `${book.title}\n${book.author}`.toLowerCase().includes(wanted));
  }

  byIsbn(isbn: string): Book | undefined {
    return this.books.get(isbn);
  }

  byTitle(title: string): Book | undefined {
    const wanted = title.toLowerCase();
    return [...this.books.values()].find((book) => book.title.toLowerCase() === wanted);
  }

  all(): readonly Book[] {
    return [...this.books.values()];
  }

  add(book: Book): void {
    this.books.set(book.isbn, book);
  }

  /** Takes `quantity` copies off the shelf. The caller has made sure that they are there. */
  order(book: Book, quantity: number): Order {
    this.orders += 1;
    this.books.set(book.isbn, { ...book, stock: book.stock - quantity });
    const id = `order-${String(this.orders).padStart(4, '0')}`;
    return { id, isbn: book.isbn, quantity, totalCents: quantity * book.priceCents };
  }

  /** How often this was called with `key` before; lets a tool fail a fixed number of times. */
  countVisit(key: string): number {
    const before = this.visits.get(key) ?? 0;
    this.visits.set(key, before + 1);
    return before;
  }
}

/** A price as people write it: `€10.99`. */
export function formatPrice(cents: number): string {
  return `€${(cents / 100).toFixed(2)}`;
}
