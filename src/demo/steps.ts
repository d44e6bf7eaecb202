import type { JsonObject } from '../protocol/jsonrpc.ts';
import type { OutcomeKind } from '../protocol/outcome.ts';

/** The two demo servers by the names under which they appear. */
export type DemoServer = 'bookshop' | 'bookshop-http';

/** One call of the scripted agent. */
export interface DemoStep {
  readonly id: string;
  readonly server: DemoServer;
  readonly tool: string;
  readonly args: JsonObject;
  /** Arguments that take the text that an earlier step was answered with: argument name → step id. */
  readonly argsFromText?: Readonly<Record<string, string>>;
  /** Limit of each attempt. */
  readonly timeoutMs?: number;
  /** The agent loses patience and cancels after this long. */
  readonly cancelAfterMs?: number;
  /** What becomes of the call, after its retries. */
  readonly expect: OutcomeKind;
  /** What a person can see in it. */
  readonly shows: string;
}

const dune = '978-0441172719';

const row = (
  number: number,
  title: string,
  priceCents: number,
  isbn = `978-00000000${String(number).padStart(2, '0')}`,
) => ({
  isbn,
  title,
  author: 'Various',
  priceCents,
});

const rows = [
  row(1, 'Solaris', 1150),
  row(2, 'Roadside Picnic', 1099),
  row(3, 'Ubik', 0),
  row(4, 'The Dispossessed', 1250),
  row(5, 'A Canticle for Leibowitz', 999),
  row(6, 'Hyperion', 1199, '0-553-28368-5'),
  row(7, 'The City & the City', 1350),
  row(8, ' ', 899),
  row(9, 'Blindsight', 1299),
  row(10, 'Ancillary Justice', 1099),
];

/**
 * A day of an agent that runs a bookshop. Every outcome appears at least once, and so does what agents make of them: a
 * blind retry, a recovery, and a confident wrong answer built on an error that looked like a success. The order matters:
 * what ends the stdio server comes late, and a call after it shows the recovery of the connection.
 */
export const demoSteps: readonly DemoStep[] = [
  {
    id: 'search',
    server: 'bookshop',
    tool: 'search_books',
    args: { query: 'dune' },
    expect: 'success',
    shows: 'a complete answer',
  },
  {
    id: 'search-nothing',
    server: 'bookshop',
    tool: 'search_books',
    args: { query: 'cookery' },
    expect: 'success',
    shows: 'an empty search is a success',
  },
  {
    id: 'author',
    server: 'bookshop',
    tool: 'get_author',
    args: { title: 'Dun' },
    expect: 'silent_error',
    shows: 'a failure without isError: the model takes the text for the answer',
  },
  {
    id: 'label',
    server: 'bookshop',
    tool: 'print_label',
    args: { title: 'Dun' },
    argsFromText: { author: 'author' },
    expect: 'success',
    shows: 'the confident wrong answer: the error text is now printed as an author’s name',
  },
  {
    id: 'order-none',
    server: 'bookshop',
    tool: 'order_book',
    args: { title: 'Dune', quantity: 0 },
    expect: 'tool_error',
    shows: 'a tool execution error, as it should be',
  },
  {
    id: 'order-none-again',
    server: 'bookshop',
    tool: 'order_book',
    args: { title: 'Dune', quantity: 0 },
    expect: 'tool_error',
    shows: 'a blind retry: the same call fails the same way',
  },
  {
    id: 'order-two',
    server: 'bookshop',
    tool: 'order_book',
    args: { title: 'Dune', quantity: 2 },
    expect: 'success',
    shows: 'a recovery: corrected arguments succeed',
  },
  {
    id: 'import',
    server: 'bookshop',
    tool: 'import_rows',
    args: { rows },
    expect: 'partial',
    shows: '7 of 10 rows done, the missing ones named',
  },
  {
    id: 'flaky',
    server: 'bookshop',
    tool: 'flaky_lookup',
    args: { isbn: dune },
    timeoutMs: 500,
    expect: 'success',
    shows: 'no answer, then −32603, then the answer',
  },
  {
    id: 'sales',
    server: 'bookshop',
    tool: 'get_sales',
    args: { month: '2026-13' },
    expect: 'protocol_error',
    shows: 'a JSON-RPC error, which many clients never show to the model',
  },
  {
    id: 'order-many',
    server: 'bookshop',
    tool: 'order_book',
    args: { title: 'Dune', quantity: 60 },
    expect: 'input_required',
    shows: 'the server wants a person to pay first (−32042)',
  },
  {
    id: 'appraise',
    server: 'bookshop',
    tool: 'appraise_collection',
    args: { boxes: 3 },
    expect: 'task_pending',
    shows: 'a task handle: the work goes on',
  },
  {
    id: 'cover',
    server: 'bookshop',
    tool: 'get_cover',
    args: { isbn: dune },
    expect: 'invalid_response',
    shows: 'an answer with a result and an error at once',
  },
  {
    id: 'receipt',
    server: 'bookshop',
    tool: 'print_receipt',
    args: { orderId: 'order-0001' },
    expect: 'success',
    shows: 'a debug line on stdout, where only messages belong',
  },
  {
    id: 'stock',
    server: 'bookshop',
    tool: 'get_stock',
    args: { isbn: dune },
    expect: 'success',
    shows: 'one request, two answers',
  },
  {
    id: 'supplier',
    server: 'bookshop',
    tool: 'ask_supplier',
    args: { message: 'When does Neuromancer come back?' },
    timeoutMs: 800,
    expect: 'timeout',
    shows: 'no answer, and no retry: the message may have been sent',
  },
  {
    id: 'export',
    server: 'bookshop',
    tool: 'export_all',
    args: { shelves: 40 },
    cancelAfterMs: 700,
    expect: 'cancelled',
    shows: 'progress, then the agent cancels',
  },
  {
    id: 'search-http',
    server: 'bookshop-http',
    tool: 'search_books',
    args: { query: 'le guin' },
    expect: 'success',
    shows: 'the same tools over Streamable HTTP',
  },
  {
    id: 'payment',
    server: 'bookshop-http',
    tool: 'check_payment',
    args: { orderId: 'order-0001' },
    expect: 'success',
    shows: 'HTTP 503 with Retry-After, obeyed',
  },
  {
    id: 'exchange',
    server: 'bookshop-http',
    tool: 'get_exchange_rate',
    args: { currency: 'USD' },
    expect: 'transport_error',
    shows: 'a gateway’s HTML page in the place of an answer',
  },
  {
    id: 'reindex',
    server: 'bookshop',
    tool: 'reindex_catalogue',
    args: { isFull: true },
    expect: 'transport_error',
    shows: 'the server exits in mid-call with code 3 and says why on stderr',
  },
  {
    id: 'search-after',
    server: 'bookshop',
    tool: 'search_books',
    args: { query: 'asimov' },
    expect: 'success',
    shows: 'the connection is back',
  },
];
