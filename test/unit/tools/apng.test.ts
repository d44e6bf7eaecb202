import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { animatedPng, readChunks } from '../../tools/docs/apng.ts';
import { root } from '../../tools/docs/manifest.ts';

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

/** A grey picture of one colour, its pixels in two chunks as browsers write them. */
function grey(width: number, height: number, value: number): Buffer {
  const pixels = deflateSync(
    Buffer.concat(Array.from({ length: height }, () => Buffer.alloc(width + 1, value).fill(0, 0, 1))),
  );
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 0, 0, 0, 0])])),
    chunk('IDAT', pixels.subarray(0, 5)),
    chunk('IDAT', pixels.subarray(5)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('an animated PNG', () => {
  it('holds the pixels of each frame, numbered through, each for its time', () => {
    const animated = animatedPng([
      { png: grey(3, 2, 10), holdMs: 500 },
      { png: grey(3, 2, 20), holdMs: 1200 },
      { png: grey(3, 2, 30), holdMs: 65_535 },
    ]);
    const chunks = readChunks(animated);
    expect(chunks.map(({ type }) => type)).toEqual([
      'IHDR',
      'acTL',
      'fcTL',
      'IDAT',
      'fcTL',
      'fdAT',
      'fcTL',
      'fdAT',
      'IEND',
    ]);
    expect(chunks[1]?.data).toEqual(Buffer.concat([uint32(3), uint32(0)]));
    const numbered = chunks.filter(({ type }) => type === 'fcTL' || type === 'fdAT');
    expect(numbered.map(({ data }) => data.readUInt32BE(0))).toEqual([0, 1, 2, 3, 4]);
    const controls = chunks.filter(({ type }) => type === 'fcTL').map(({ data }) => data);
    expect(
      controls.map((data) => [
        data.readUInt32BE(4),
        data.readUInt32BE(8),
        data.readUInt16BE(20),
        data.readUInt16BE(22),
      ]),
    ).toEqual([
      [3, 2, 500, 1000],
      [3, 2, 1200, 1000],
      [3, 2, 65_535, 1000],
    ]);
    const greys = chunks
      .filter(({ type }) => type === 'IDAT' || type === 'fdAT')
      .map(({ type, data }) => inflateSync(type === 'IDAT' ? data : data.subarray(4))[1]);
    expect(greys).toEqual([10, 20, 30]);
  });

  it.each([
    ['no frame', [], 'needs a frame'],
    ['another size', [grey(3, 2, 1), grey(2, 2, 1)], 'frame 1 differs'],
    ['no PNG', [Buffer.from('GIF89a and more')], 'no PNG'],
    ['a damaged chunk', [Buffer.concat([grey(3, 2, 1).subarray(0, -1), Buffer.from([0])])], 'damaged'],
  ])('refuses %s', (_, pngs, problem) => {
    expect(() => animatedPng(pngs.map((png) => ({ png, holdMs: 1 })))).toThrow(problem);
  });
});

describe('the pictures of the docs', () => {
  const folder = path.join(root, 'docs/images');
  const pictures = readdirSync(folder);

  it('are PNG files that a page shows, none too large to load', () => {
    expect(pictures.length).toBeGreaterThan(5);
    const shown = [
      'README.md',
      ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((file) =>
        path.join('docs', file),
      ),
    ]
      .filter((file) => file.endsWith('.md'))
      .map((file) => readFileSync(path.join(root, file), 'utf8'))
      .join('\n');
    for (const name of pictures) {
      const png = readFileSync(path.join(folder, name));
      expect(readChunks(png).at(-1)?.type).toBe('IEND');
      expect([
        name,
        shown.includes(`images/${name})`),
        png.length < (name === 'demo.png' ? 1_500_000 : 400_000),
      ]).toEqual([name, true, true]);
    }
  });

  it('have one that is animated', () => {
    const chunks = readChunks(readFileSync(path.join(folder, 'demo.png')));
    expect(chunks.filter(({ type }) => type === 'fcTL').length).toBeGreaterThan(5);
  });

  it('are not in the packed extension', () => {
    const kept = readFileSync(path.join(root, '.vscodeignore'), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    expect(kept[0]).toBe('**');
    expect(kept.filter((line) => line.includes('docs'))).toEqual([]);
  });
});
