import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readManifest, root } from '../../tools/docs/manifest.ts';
import { readMarkdown, slugOf } from '../../tools/docs/markdown.ts';
import { brokenLinks, externalLinks, readPages } from '../../tools/docs/pages.ts';

const pages = readPages(root);

/** Every text in the source that begins with our name: ids of views, colours and contexts, attributes of spans. */
const namesInSource = new Set(
  readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(path.join(root, 'src', file), 'utf8').matchAll(/['"`.](faultline\.[\w.]+)/g)])
    .map(([, name = '']) => name),
);

describe('the Markdown of the repository', () => {
  it('leads to files, headings and pictures that exist', () => {
    expect(pages.size).toBeGreaterThan(40);
    expect(brokenLinks(pages, root)).toEqual([]);
  });

  it('leads to every page of the docs from another one', () => {
    const reached = new Set(
      [...pages].flatMap(([file, { links }]) =>
        links.flatMap(({ target }) => {
          const there = path.posix.join(path.posix.dirname(file), target.split('#')[0] ?? '');
          return there === file ? [] : [there];
        }),
      ),
    );
    const orphans = [...pages.keys()].filter((file) => file.startsWith('docs/') && !reached.has(file));
    expect(orphans).toEqual([]);
  });

  it('names commands, settings and other ids that exist', () => {
    const manifest = readFileSync(path.join(root, 'package.json'), 'utf8');
    const isKnown = (name: string) =>
      manifest.includes(`"${name}"`) ||
      namesInSource.has(name) ||
      // A family: `faultline.retry.*`.
      (name.endsWith('.*') && manifest.includes(`"${name.slice(0, -1)}`));
    const wrong = [...pages].flatMap(([file, { codes }]) =>
      codes
        .filter(({ text }) => /^faultline\.[a-zA-Z][\w.]*\*?$/.test(text) && !isFileName(text) && !isKnown(text))
        .map(({ text, line }) => `${file}:${line}: ${text}`),
    );
    expect(wrong).toEqual([]);
  });

  it('names files of this repository that exist', () => {
    const wrong = [...pages].flatMap(([file, { codes }]) =>
      codes
        .filter(({ text }) => /^(src|test|docs|webview|media)\/[\w./-]+$/.test(text) && !isMade(text))
        .filter(({ text }) => !existsSync(path.join(root, text)))
        .map(({ text, line }) => `${file}:${line}: ${text}`),
    );
    expect(wrong).toEqual([]);
  });

  it('calls commands as the palette does', () => {
    const titles = new Set(readManifest().contributes.commands.map(({ title }) => `Faultline: ${title}`));
    const named = [...pages].flatMap(([file, { bold }]) =>
      bold.filter(({ text }) => text.startsWith('Faultline: ')).map(({ text, line }) => ({ file, line, text })),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(({ text }) => !titles.has(text))).toEqual([]);
  });

  it('names npm scripts that exist', () => {
    const scripts = Object.keys(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).scripts);
    const named = [...pages.keys()].flatMap((file) =>
      [...readFileSync(path.join(root, file), 'utf8').matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(
        ([, script = '']) => ({ file, script }),
      ),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ script }) => !scripts.includes(script))).toEqual([]);
  });
});

/** What tests leave. */
const isMade = (text: string) => text.startsWith('test/out/');

const isFileName = (text: string) => /\.(json|jsonl|sqlite|sarif|md|har|1)$/.test(text) || text.endsWith('.config');

describe('the check of links', () => {
  it('finds what is broken, and nothing in code', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'faultline-docs-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(path.join(folder, 'docs'));
    writeFileSync(path.join(folder, 'docs/b.md'), '# Two words\n\n## `code` & more\n\n<a id="here"></a>\n');
    const lines = [
      '# A',
      '[good](docs/b.md) [too](docs/b.md#two-words) [and](docs/b.md#code--more) [html](docs/b.md#here) [self](#a)',
      '[no file](docs/c.md) ![no picture](docs/c.png "title")',
      '[no heading](docs/b.md#three) [nor here](#b) [out](../x.md) [abs](/x.md)',
      '`[in code](gone.md)` and <https://good.example/a> and [plain](http://bad.example)',
      '```',
      '[in a fence](gone.md)',
      '```',
      '[ref]: gone.md',
      '<img src="gone.png">',
    ];
    writeFileSync(path.join(folder, 'a.md'), lines.join('\n'));
    const read = readPages(folder);
    expect(brokenLinks(read, folder)).toEqual([
      'a.md:3: docs/c.md does not exist',
      'a.md:3: docs/c.png does not exist',
      'a.md:4: docs/b.md#three names no heading there',
      'a.md:4: #b names no heading there',
      'a.md:4: ../x.md does not exist',
      'a.md:4: /x.md is absolute',
      'a.md:5: http://bad.example is no https address',
      'a.md:9: gone.md does not exist',
      'a.md:10: gone.png does not exist',
    ]);
    expect(externalLinks(read)).toEqual(
      new Map([
        ['http://bad.example', ['a.md:5']],
        ['https://good.example/a', ['a.md:5']],
      ]),
    );
  });

  it.each([
    ['May the same request be sent again?', 'may-the-same-request-be-sent-again'],
    ['What `faultline tap` does, and does not', 'what-faultline-tap-does-and-does-not'],
    ['[A link](b.md) – in it', 'a-link--in-it'],
    ['1. One', '1-one'],
  ])('calls the heading %s %s', (heading, slug) => {
    expect(slugOf(heading)).toBe(slug);
  });

  it('tells headings of the same name apart', () => {
    expect([...readMarkdown('# A\n## A\n### A').anchors]).toEqual(['a', 'a-1', 'a-2']);
  });
});
