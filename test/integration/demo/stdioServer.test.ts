import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoSteps } from '../../../src/demo/steps.ts';
import { type DemoProcess, initialize, startDemo } from './rawClient.ts';

let demo: DemoProcess;

beforeEach(async () => {
  demo = startDemo();
  demo.send({ id: 'init', method: 'initialize', params: initialize });
  await demo.stdout.until((lines) => lines.length === 1);
  demo.send({ method: 'notifications/initialized' });
});

afterEach(async () => {
  demo.child.stdin?.end();
  await demo.exited;
});

/** What came on stdout after the handshake, parsed where it is JSON, once there are `count` lines of it. */
async function received(count: number): Promise<readonly unknown[]> {
  const lines = await demo.stdout.until((all) => all.length >= count + 1);
  return lines.slice(1).map((line) => (line.startsWith('{') ? JSON.parse(line) : line));
}

function call(name: string, args: object, id = 1, meta: object = {}): void {
  demo.send({ id, method: 'tools/call', params: { name, arguments: args, ...meta } });
}

const textResult = (text: string, more: object = {}) => ({ content: [{ type: 'text', text }], ...more });

describe('the demo server over stdio', () => {
  it('lists the tools that the script calls, each with a title and a description', async () => {
    demo.send({ id: 1, method: 'tools/list' });
    const [answer] = (await received(1)) as [
      { result: { tools: { name: string; title: string; description: string }[] } },
    ];
    const { tools } = answer.result;
    expect(tools.filter((tool) => tool.title === '' || tool.description === '')).toEqual([]);
    const called = demoSteps.filter((step) => step.server === 'bookshop').map((step) => step.tool);
    expect([...new Set(called)].filter((name) => !tools.some((tool) => tool.name === name))).toEqual([]);
  });

  it.each<[name: string, args: object, answers: readonly unknown[]]>([
    [
      'search_books',
      { query: 'asimov' },
      [{ result: textResult('Foundation by Isaac Asimov (1951), €8.99, 7 in stock, ISBN 978-0553293357') }],
    ],
    ['search_books', { query: 'cookery' }, [{ result: textResult('No books match "cookery".') }]],
    [
      'get_book',
      { isbn: '1' },
      [{ result: textResult('No book has ISBN 1. Use search_books to find it.', { isError: true }) }],
    ],
    ['get_author', { title: 'dune' }, [{ result: textResult('Frank Herbert') }]],
    ['get_author', { title: 'Dun' }, [{ result: textResult("Error: no book titled 'Dun'") }]],
    [
      'order_book',
      { title: 'Dune', quantity: 0 },
      [
        {
          result: textResult('Cannot order 0 copies: quantity must be a whole number of 1 or more.', { isError: true }),
        },
      ],
    ],
    [
      'order_book',
      { title: 'Neuromancer', quantity: 1 },
      [{ result: textResult('Only 0 of "Neuromancer" in stock, 1 were asked for.', { isError: true }) }],
    ],
    ['order_book', { title: 'Dune', quantity: 2 }, [{ result: textResult('order-0001: 2 × Dune, €21.98') }]],
    ['order_book', { title: 'Dune', quantity: 60 }, [{ error: { code: -32042 } }]],
    ['get_sales', { month: '2026-13' }, [{ error: { code: -32602 } }]],
    ['get_sales', { month: '1999-12' }, [{ error: { code: -32603 } }]],
    ['get_sales', { month: '2026-10' }, [{ result: textResult('2026-10: 214 copies sold') }]],
    ['appraise_collection', { boxes: 3 }, [{ result: { task: { taskId: 'appraisal-1', status: 'working' } } }]],
    ['get_cover', { isbn: '1' }, [{ result: {}, error: { code: 0 } }]],
    [
      'get_stock',
      { isbn: '1' },
      [{ result: textResult('north: 5 copies') }, { result: textResult('south: 2 copies') }],
    ],
    [
      'print_receipt',
      { orderId: 'order-0001' },
      [
        '[receipts] DEBUG printing order-0001 on /dev/usb/lp0',
        { result: textResult('Receipt of order-0001 printed.') },
      ],
    ],
  ])('answers %s %j', async (name, args, answers) => {
    call(name, args);
    expect(await received(answers.length)).toMatchObject(
      answers.map((answer) => (typeof answer === 'string' ? answer : { id: 1, ...(answer as object) })),
    );
  });

  it('imports 7 of the 10 rows of the script and names the others', async () => {
    call('import_rows', demoSteps.find((step) => step.id === 'import')?.args ?? {});
    const [answer] = await received(1);
    expect(answer).toMatchObject({
      result: {
        structuredContent: {
          imported: 7,
          total: 10,
          rejected: [
            { row: 3, title: 'Ubik', reason: 'the price must be above zero' },
            { row: 6, title: 'Hyperion', reason: 'not an ISBN-13' },
            { row: 8, title: ' ', reason: 'the title is empty' },
          ],
        },
      },
    });
  });

  it('answers flaky_lookup with silence, then an error, then the answer', async () => {
    call('flaky_lookup', { isbn: '1' }, 1);
    call('flaky_lookup', { isbn: '1' }, 2);
    call('flaky_lookup', { isbn: '1' }, 3);
    expect(await received(2)).toMatchObject([
      { id: 2, error: { code: -32603 } },
      { id: 3, result: textResult('1 is published by Ace Books, New York') },
    ]);
  });

  it('reports the progress of export_all and finishes it', async () => {
    call('export_all', { shelves: 2 }, 1, { _meta: { progressToken: 'p' } });
    expect(await received(3)).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'p', progress: 1, total: 2 } },
      { method: 'notifications/progress', params: { progressToken: 'p', progress: 2, total: 2 } },
      { id: 1, result: textResult('Exported 6 books from 2 shelves.') },
    ]);
  });

  it('stops export_all when it is cancelled', async () => {
    call('export_all', { shelves: 200 }, 1, { _meta: { progressToken: 'p' } });
    await received(1);
    demo.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    call('get_author', { title: 'Dune' }, 2);
    const answers = (await demo.stdout.until((lines) => lines.some((line) => line.includes('Frank Herbert')))).slice(1);
    expect(answers.filter((line) => line.includes('"id":1'))).toEqual([]);
    // Were the work still going on, the process would not end with its stdin.
    demo.child.stdin?.end();
    expect(await demo.exited).toEqual({ code: 0 });
  });

  it('leaves ask_supplier without an answer and goes on', async () => {
    call('ask_supplier', { message: 'Hello?' }, 1);
    call('get_author', { title: 'Dune' }, 2);
    expect(await received(1)).toMatchObject([{ id: 2 }]);
  });

  it('exits with code 3 in the middle of reindex_catalogue and says why', async () => {
    call('reindex_catalogue', {});
    expect(await demo.exited).toEqual({ code: 3 });
    expect(demo.stderr.all.at(-1)).toBe('reindex: out of memory while merging segment 4');
    expect(await received(0)).toEqual([]);
  });
});
