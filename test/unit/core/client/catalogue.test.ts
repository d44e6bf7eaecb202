import { describe, expect, it } from 'vitest';
import { PROMPT_SPEC, RESOURCE_SPEC, TEMPLATE_SPEC, toolSpec } from '../../../../src/core/client/catalogueItems.ts';
import { type ListingSpec, readListing } from '../../../../src/core/client/listing.ts';
import type { RawEnd } from '../../../../src/protocol/call.ts';
import type { JsonObject, JsonValue } from '../../../../src/protocol/jsonrpc.ts';
import { TEXTS } from '../../../../src/protocol/texts.ts';
import { createWorld, idOf, type Script, type World } from './fakeServer.ts';

const a = idOf('a');
const result = (value: JsonValue): RawEnd => ({ kind: 'result', result: value, raw: '' });
const failed = (code: number): RawEnd => ({ kind: 'error', error: { code, message: 'no' }, raw: '' });

/** Gives these ends one after the other. */
async function read(ends: readonly RawEnd[], spec: ListingSpec<object> = toolSpec(false) as ListingSpec<object>) {
  const asked: JsonObject[] = [];
  const { listing } = await readListing(spec, async (params) => {
    asked.push(params);
    return ends[asked.length - 1] ?? failed(-32603);
  });
  return { listing, asked };
}

describe('a listing', () => {
  const page = (name: string, nextCursor?: string) =>
    result({ tools: [{ name }], ...(nextCursor === undefined ? {} : { nextCursor }) });
  it.each<[string, RawEnd[], string[], boolean, string[]]>([
    ['one page', [page('x')], ['x'], true, []],
    ['two pages, the cursor an empty string', [page('x', ''), page('y')], ['x', 'y'], true, []],
    ['a page that fails', [page('x', 'p'), failed(-32603)], ['x'], false, ['catalogue.pageFailed']],
    ['nothing at all', [failed(-32601)], [], false, ['catalogue.pageFailed']],
    ['a page without a list', [result({})], [], false, ['catalogue.pageFailed']],
    ['a cursor that leads back', [page('x', 'p'), page('y', 'p')], ['x', 'y'], false, ['catalogue.cursorLoop']],
    [
      'a cursor that is refused, and not the second time',
      [page('x', 'p'), failed(-32602), page('x', 'q'), page('y')],
      ['x', 'y'],
      true,
      [],
    ],
    [
      'a cursor that is refused again',
      [page('x', 'p'), failed(-32602), page('x', 'q'), failed(-32602)],
      ['x'],
      false,
      ['catalogue.pageFailed'],
    ],
    [
      'items that are none',
      [result({ tools: [{ name: 'x' }, { title: 'no name' }, 7, null, { name: 5 }, { name: 'y' }] })],
      ['x', 'y'],
      true,
      Array(4).fill('catalogue.malformedItem'),
    ],
    ['the same twice', [result({ tools: [{ name: 'x' }, { name: 'x', title: 't' }] })], ['x'], true, []],
  ])('of %s', async (_name, ends, names, isComplete, problems) => {
    const { listing } = await read(ends);
    expect({
      names: listing.items.map((item) => ('name' in item ? item.name : '')),
      isComplete: listing.isComplete,
      problems: listing.problems.map(({ code }) => code),
    }).toEqual({ names, isComplete, problems });
    expect(problems.filter((code) => TEXTS[code] === undefined)).toEqual([]);
  });

  it('of pages without end comes to an end', async () => {
    let pages = 0;
    const { listing } = await readListing(toolSpec(false), async () => {
      pages += 1;
      return page(`t${pages}`, `p${pages}`);
    });
    expect([pages, listing.items.length, listing.isComplete]).toEqual([100, 100, false]);
  });

  it('holds as long as its most short-lived page', async () => {
    const { listing } = await read([
      result({ tools: [], nextCursor: 'p', ttlMs: 9_000 }),
      result({ tools: [], ttlMs: 5_000 }),
    ]);
    expect(listing.ttlMs).toBe(5_000);
  });

  it.each<[string, ListingSpec<object>, JsonValue, object]>([
    [
      'a tool',
      toolSpec(false) as ListingSpec<object>,
      {
        tools: [
          {
            name: 'x',
            title: 7,
            description: 'd',
            inputSchema: {},
            outputSchema: { type: 'object' },
            execution: { taskSupport: 'required' },
            annotations: { readOnlyHint: true, idempotentHint: 'yes' },
          },
        ],
      },
      {
        name: 'x',
        description: 'd',
        inputSchema: {},
        outputSchema: { type: 'object' },
        taskSupport: 'required',
        hints: { readOnlyHint: true },
      },
    ],
    [
      'a resource',
      RESOURCE_SPEC as ListingSpec<object>,
      { resources: [{ uri: 'u', name: 'n', size: 5 }] },
      { uri: 'u', name: 'n' },
    ],
    [
      'a template',
      TEMPLATE_SPEC as ListingSpec<object>,
      { resourceTemplates: [{ uriTemplate: 'u/{x}', mimeType: 'm' }] },
      { uriTemplate: 'u/{x}', mimeType: 'm' },
    ],
    [
      'a prompt',
      PROMPT_SPEC as ListingSpec<object>,
      { prompts: [{ name: 'p', arguments: [{ name: 'a', required: true }, { name: 'b' }, { x: 1 }] }] },
      {
        name: 'p',
        arguments: [
          { name: 'a', isRequired: true },
          { name: 'b', isRequired: false },
        ],
      },
    ],
  ])('reads %s as it is', async (_name, spec, page_, item) => {
    expect((await read([result(page_)], spec)).listing.items).toEqual([item]);
  });

  it('leaves out tools with headers that cannot be, over HTTP in 2026-07-28', async () => {
    const tools = [
      { name: 'good', inputSchema: { properties: { a: { type: 'string', 'x-mcp-header': 'A' } } } },
      { name: 'bad', inputSchema: { properties: { a: { type: 'object', 'x-mcp-header': 'A' } } } },
    ];
    const { listing } = await read([result({ tools })], toolSpec(true) as ListingSpec<object>);
    expect([listing.items.length, listing.isComplete, listing.problems[0]?.code]).toEqual([
      1,
      true,
      'catalogue.badHeader',
    ]);
    expect((await read([result({ tools })])).listing.items.length).toBe(2);
  });
});

/** A server of 2026-07-28 in memory, with lists that hold for `ttlMs`. */
const modern =
  (ttlMs: number, listed: () => JsonValue = () => [{ name: 'x' }]): Script =>
  (message, wire) => {
    switch (message.method) {
      case 'server/discover':
        wire.reply(message, { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } });
        return true;
      case 'tools/list':
        wire.reply(message, { resultType: 'complete', tools: listed(), ttlMs, cacheScope: 'private' });
        return true;
      default:
        return false;
    }
  };

const readings = (world: World) =>
  world.wires.flatMap(({ sent }) => sent).filter(({ method }) => method === 'tools/list').length;

describe('the catalogue', () => {
  it('is read again when it is looked at after its time, and not before', async () => {
    const world = createWorld({ servers: { a: modern(20_000) } });
    await world.pool.connect(a);
    await world.clock.advance(19_999);
    world.pool.catalogue(a);
    await world.clock.advance(0);
    expect(readings(world)).toBe(1);
    await world.clock.advance(1);
    expect(readings(world)).toBe(1);
    world.pool.catalogue(a);
    await world.clock.advance(0);
    expect(readings(world)).toBe(2);
    await world.pool.dispose();
  });

  it('is not read at every look where it never holds', async () => {
    const world = createWorld({ servers: { a: modern(0) } });
    await world.pool.connect(a);
    await world.clock.advance(0);
    for (let looks = 0; looks < 10; looks += 1) {
      world.pool.catalogue(a);
      await world.clock.advance(100);
    }
    expect(readings(world)).toBe(1);
    await world.pool.dispose();
  });

  it('keeps the tools of a server that is gone, as unavailable', async () => {
    const world = createWorld({ servers: { a: () => false }, tools: [{ name: 'x' }] });
    await world.pool.connect(a);
    await world.clock.advance(0);
    expect(world.pool.catalogue(a)).toMatchObject({ isAvailable: true, tools: { items: [{ name: 'x' }] } });
    world.wires[0]?.exit({ reason: 'exited', message: 'exit 1', exitCode: 1 });
    expect(world.pool.catalogue(a)).toMatchObject({
      isAvailable: false,
      tools: { items: [{ name: 'x' }], isComplete: true },
    });
    expect(world.pool.tools(a)).toEqual([]);
    await world.pool.disconnect(a);
    expect(world.pool.catalogue(a)?.tools.items.length).toBe(1);
    await world.pool.dispose();
  });

  it('keeps what it knew beside what could be read, and reads again what failed in passing', async () => {
    let isSick = false;
    const script: Script = (message, wire) => {
      if (message.method !== 'tools/list') {
        return false;
      }
      if (message.params?.['cursor'] === undefined) {
        wire.reply(message, { tools: [{ name: 'x' }], nextCursor: 'p' });
      } else if (isSick) {
        wire.receive({ jsonrpc: '2.0', id: message.id ?? 0, error: { code: -32603, message: 'not now' } });
      } else {
        wire.reply(message, { tools: [{ name: 'y' }] });
      }
      return true;
    };
    const world = createWorld({ servers: { a: script } });
    await world.pool.connect(a);
    await world.clock.advance(0);
    isSick = true;
    world.pool.refresh(a);
    await world.clock.advance(0);
    expect(world.pool.catalogue(a)?.tools).toMatchObject({ items: [{ name: 'x' }, { name: 'y' }], isComplete: false });
    isSick = false;
    await world.clock.advance(1_000);
    expect(world.pool.catalogue(a)?.tools).toMatchObject({ items: [{ name: 'x' }, { name: 'y' }], isComplete: true });
    await world.pool.dispose();
    expect(world.clock.pendingMs()).toEqual([]);
  });

  it('gives up reading again what keeps failing', async () => {
    const script: Script = (message, wire) => {
      if (message.method !== 'tools/list') {
        return false;
      }
      wire.receive({ jsonrpc: '2.0', id: message.id ?? 0, error: { code: -32603, message: 'never' } });
      return true;
    };
    const world = createWorld({ servers: { a: script } });
    await world.pool.connect(a);
    await world.clock.advance(3_600_000);
    expect(readings(world)).toBe(3);
    await world.pool.dispose();
  });

  it('asks a server only for what it offers', async () => {
    const world = createWorld({ servers: { a: () => false } });
    await world.pool.connect(a);
    await world.clock.advance(0);
    expect(world.wires[0]?.sent.map(({ method }) => method).filter((method) => method.endsWith('/list'))).toEqual([
      'tools/list',
    ]);
    expect(world.pool.catalogue(a)).toMatchObject({
      resources: { isComplete: true, items: [] },
      prompts: { isComplete: true, items: [] },
    });
    expect(world.pool.catalogue(idOf('b'))).toBeUndefined();
    await world.pool.dispose();
  });
});
