import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './support/ownPatterns.ts';

interface Threat {
  readonly threat: string;
  readonly where: string;
  readonly test: string;
  readonly title: string;
}

/** The lines of the table of `docs/security.md`. */
function threats(): readonly Threat[] {
  const text = readFileSync(path.join(ROOT, 'docs/security.md'), 'utf8');
  const [, table = ''] = /<!-- threats -->\n([\s\S]*?)<!-- \/threats -->/.exec(text) ?? [];
  return table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => {
      const [, threat = '', , where = '', test = '', title = ''] = line.split('|').map((cell) => cell.trim());
      return { threat, where: where.replaceAll('`', ''), test: test.replaceAll('`', ''), title };
    });
}

describe('each threat of docs/security.md', () => {
  const all = threats();

  it('is one of many', () => expect(all.length).toBeGreaterThan(50));

  it('is stopped in a file that is there', () => {
    expect(all.filter(({ where }) => !existsSync(path.join(ROOT, where)))).toEqual([]);
  });

  it.each(all)('$threat: has a test, $title', ({ test, title }) => {
    const file = path.join(ROOT, test);
    expect(existsSync(file)).toBe(true);
    const text = readFileSync(file, 'utf8');
    // As a title of a test stands in its file: in quotes behind a parenthesis, on that line or the next.
    const stands = ["'", '"', '`'].some(
      (quote) => text.includes(`(${quote}${title}${quote},`) || text.includes(`(\n    ${quote}${title}${quote},`),
    );
    expect(stands).toBe(true);
  });
});
