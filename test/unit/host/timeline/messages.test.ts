import { Buffer } from 'node:buffer';
import { describe, expect, it, vi } from 'vitest';
import { vscodeStub } from '../../support/vscodeStub.ts';

vi.mock('vscode', () => vscodeStub());

const { exactText } = await import('../../../../src/host/timeline/exactText.ts');
const { imageSize } = await import('../../../../src/host/timeline/imageSize.ts');
const { imageAt, imagesOf } = await import('../../../../src/host/timeline/images.ts');
const { cutJson } = await import('../../../../src/host/timeline/jsonCut.ts');
const { payloadView } = await import('../../../../src/host/timeline/payload.ts');
const { prettyPrint, wholeText } = await import('../../../../src/host/timeline/messageText.ts');

const bytes = (...values: readonly number[]) => Uint8Array.from(values);

describe('bytes as text', () => {
  it.each<[string, Uint8Array, string, readonly string[]]>([
    ['plain text', Buffer.from('a€😀'), 'a€😀', []],
    ['a mark at the beginning', Buffer.from('\uFEFFa'), '\uFEFFa', []],
    ['a byte that begins nothing', bytes(0x61, 0xff, 0x62), 'a\\xffb', ['\\xff']],
    ['a sequence that is cut short', bytes(0xe2, 0x82), '\\xe2\\x82', ['\\xe2\\x82']],
    ['a longer form than needed', bytes(0xc0, 0x80), '\\xc0\\x80', ['\\xc0\\x80']],
    ['half of a surrogate pair', bytes(0xed, 0xa0, 0x80), '\\xed\\xa0\\x80', ['\\xed\\xa0\\x80']],
    ['beyond Unicode', bytes(0xf4, 0x90, 0x80, 0x80), '\\xf4\\x90\\x80\\x80', ['\\xf4\\x90\\x80\\x80']],
    ['what only looks like an escape', Buffer.from('\\xff'), '\\xff', []],
    ['nothing', bytes(), '', []],
  ])('%s', (_name, input, text, invalid) => {
    const shown = exactText(input);
    expect(shown.text).toBe(text);
    expect(shown.invalid.map(({ start, end }) => shown.text.slice(start, end))).toEqual(invalid);
  });

  it('takes for text exactly what the platform takes for text', () => {
    const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const isText = (input: Uint8Array) => {
      try {
        return strict.decode(input) !== undefined;
      } catch {
        return false;
      }
    };
    const differing: string[] = [];
    for (let first = 0x80; first < 0x100; first++) {
      for (let second = 0x70; second < 0x100; second += 3) {
        for (const rest of [[], [0x80], [0x80, 0x80], [0xc0, 0x80], [0x80, 0x20]]) {
          const input = bytes(first, second, ...rest);
          if ((exactText(input).invalid.length === 0) !== isText(input)) {
            differing.push(Buffer.from(input).toString('hex'));
          }
        }
      }
    }
    expect(differing).toEqual([]);
  });
});

const png = (width: number, height: number) => {
  const head = Buffer.alloc(24);
  head.write('\u0089PNG\r\n\u001a\n', 0, 'latin1');
  head.write('IHDR', 12, 'latin1');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head;
};

describe('the head of an image', () => {
  const gif = Buffer.concat([Buffer.from('GIF89a'), bytes(3, 0, 2, 1)]);
  const jpeg = bytes(0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc2, 0, 11, 8, 0, 5, 0, 7, 3, 0, 0);
  const webp = (type: string, ...data: readonly number[]) =>
    Buffer.concat([Buffer.from(`RIFF----WEBP${type}----`, 'latin1'), bytes(...data), Buffer.alloc(20)]);
  it.each<[string, Uint8Array, unknown]>([
    ['PNG', png(640, 480), { mimeType: 'image/png', width: 640, height: 480 }],
    ['GIF', gif, { mimeType: 'image/gif', width: 3, height: 258 }],
    ['JPEG, progressive, after another segment', jpeg, { mimeType: 'image/jpeg', width: 7, height: 5 }],
    ['WebP, lossy', webp('VP8 ', 0, 0, 0, 0x9d, 1, 0x2a, 9, 0, 8, 0), { mimeType: 'image/webp', width: 9, height: 8 }],
    ['WebP, lossless', webp('VP8L', 0x2f, 0x04, 0xc0, 0, 0), { mimeType: 'image/webp', width: 5, height: 4 }],
    ['WebP, extended', webp('VP8X', 0, 0, 0, 0, 6, 0, 0, 5, 0, 0), { mimeType: 'image/webp', width: 7, height: 6 }],
    ['nothing', bytes(), undefined],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), undefined],
    ['a PNG without a size', png(0, 5), undefined],
    ['a JPEG that never ends its segments', Buffer.concat([bytes(0xff, 0xd8), Buffer.alloc(5000, 0xff)]), undefined],
  ])('%s', (_name, input, expected) => {
    expect(imageSize(input)).toEqual(expected);
  });
});

describe('declared images', () => {
  const image = (data: string, mimeType = 'image/png') => ({ type: 'image', data, mimeType });
  const message = (...content: readonly object[]) => JSON.parse(JSON.stringify({ result: { content } }));

  it('are found in content and in embedded resources, and nowhere else', () => {
    const data = png(1, 1).toString('base64');
    const found = imagesOf(
      message({ type: 'text', text: data }, image(data), image(data, 'text/html'), {
        type: 'resource',
        resource: { uri: 'x', blob: data, mimeType: 'image/gif' },
      }),
    );
    expect(found).toEqual([
      { pointer: '/result/content/1', mimeType: 'image/png', bytes: 24 },
      { pointer: '/result/content/3/resource', mimeType: 'image/gif', bytes: 24 },
    ]);
  });

  it.each<[string, object, unknown]>([
    [
      'as its bytes say',
      image(png(2, 2).toString('base64'), 'image/gif'),
      { mimeType: 'image/png', width: 2, height: 2 },
    ],
    [
      'not when it is no picture',
      image(Buffer.from('<svg/>').toString('base64'), 'image/svg+xml'),
      { refusal: expect.stringContaining('image/svg+xml') },
    ],
    [
      'not when it claims to be enormous',
      image(png(50_000, 50_000).toString('base64')),
      { refusal: expect.stringContaining('50000') },
    ],
    ['not when it is too large', image('A'.repeat(12_000_000)), { refusal: expect.stringContaining('8') }],
    ['not when there is none', { type: 'text' }, { refusal: expect.any(String) }],
  ])('are given %s', (_name, item, expected) => {
    expect(imageAt(message(item), '/result/content/0')).toMatchObject(expected as object);
  });
});

describe('a message that is too long for a tree', () => {
  it.each<[string, unknown, number]>([
    ['a long text', { a: 'x'.repeat(1_000_000), b: 1 }, 20_000],
    ['a long list', Array.from({ length: 50_000 }, (_, index) => ({ index, text: 'some words' })), 20_000],
    ['many members', Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, index])), 20_000],
    ['lists in lists', Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => 'words')), 5000],
    ['a deep one', JSON.parse('['.repeat(3000) + ']'.repeat(3000)), 5000],
  ])('is cut: %s', (_name, value, limit) => {
    const { json, cuts } = cutJson(value as never, limit);
    expect(json.length).toBeLessThanOrEqual(limit);
    expect(cuts.length).toBeGreaterThan(0);
    expect(typeof JSON.parse(json)).toBe('object');
  });

  it('says what was cut, and leaves the rest', () => {
    expect(cutJson({ a: 'x'.repeat(9000), b: [1] }, 10_000)).toEqual({
      json: JSON.stringify({ a: 'x'.repeat(8000), b: [1] }),
      cuts: [{ pointer: '/a', kind: 'text', total: 9000 }],
    });
  });
});

describe('payloadView', () => {
  const body = (raw: string, more: object = {}) =>
    ({
      kind: 'message',
      direction: 'received',
      raw,
      bytes: raw.length,
      envelope: { kind: 'batch', size: 0 },
      ...more,
    }) as const;

  it('lays a message out, marks the places and keeps it as it came', () => {
    const raw = '{"result":{"isError": true}}';
    const view = payloadView(7, body(raw), ['/result/isError', '/result/isError']);
    expect(view).toMatchObject({
      seq: 7,
      raw,
      invalid: [],
      tree: { kind: 'raw' },
      pointers: ['/result/isError'],
      isTruncated: false,
    });
    expect(view.highlights.map(({ start, end }) => view.text.slice(start, end))).toEqual(['true']);
  });

  it('cuts a large one for its tree, and says how large it is', () => {
    const raw = JSON.stringify({ text: 'x'.repeat(300_000) });
    const view = payloadView(7, body(raw), []);
    expect(view).toMatchObject({
      isTruncated: true,
      bytes: raw.length,
      tree: { kind: 'cut', cuts: [{ pointer: '/text' }] },
    });
    expect(view.raw.length).toBe(64 * 1024);
  });

  it('has no tree of what is no JSON, and shows every byte of it', () => {
    const rawBytes = Buffer.concat([Buffer.from('{"a":'), bytes(0xff)]);
    const view = payloadView(7, body('{"a":\uFFFD', { rawBytes }), []);
    expect(view).toMatchObject({
      raw: '{"a":\\xff',
      invalid: [{ start: 5, end: 9 }],
      tree: { kind: 'none' },
      images: [],
    });
  });

  it('opens as a document in both forms', () => {
    expect(prettyPrint('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(prettyPrint('{"a":')).toBe('{"a":');
    expect(wholeText(body('\uFFFD', { rawBytes: bytes(0xfe) }))).toBe('\\xfe');
  });
});
