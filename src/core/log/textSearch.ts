import type { DatabaseSync } from 'node:sqlite';
import { unpack } from './packing.ts';
import { guarded } from './rows.ts';

/**
 * Searches by reading: 1,000,000 events take a fifth of a second, less than an index of their trigrams would add to every
 * 30,000 that are written, and that would be as large as they are. Compressed payloads are looked into.
 */
export function createTextSearch(db: DatabaseSync) {
  const find = db.prepare(
    `SELECT seq, packing, CASE packing WHEN 0 THEN NULL ELSE raw END AS packed
     FROM event JOIN source ON source.id = event.source AND source.doomed = 0
     WHERE seq BETWEEN ?1 AND ?2 AND (packing <> 0 OR COALESCE(raw, body) LIKE ?3 ESCAPE '\\' OR COALESCE(raw, body) LIKE ?4 ESCAPE '\\')
     ORDER BY seq DESC`,
  );
  const findPlain = db.prepare(
    `SELECT seq, packing, CASE packing WHEN 0 THEN NULL ELSE raw END AS packed
     FROM event JOIN source ON source.id = event.source AND source.doomed = 0
     WHERE seq BETWEEN ?1 AND ?2 AND (packing <> 0 OR COALESCE(raw, body) LIKE ?3) ORDER BY seq DESC`,
  );
  return (text: string, from: number, to: number, limit: number): readonly number[] => {
    // What a person sees as a quote or a line end stands in JSON as an escape.
    const escaped = JSON.stringify(text).slice(1, -1);
    const isPlain = escaped === text && !/[%_\\]/.test(text);
    const needles = [text.toLowerCase(), escaped.toLowerCase()];
    return guarded(() => {
      const rows = isPlain
        ? findPlain.iterate(from, to, `%${text}%`)
        : find.iterate(from, to, like(text), like(escaped));
      const seqs: number[] = [];
      for (const row of rows as Iterable<unknown>) {
        const { seq, packing, packed } = row as { seq: number; packing: number; packed: unknown };
        if (packing === 0 || isIn(packed, packing, needles)) {
          seqs.push(seq);
        }
        if (seqs.length >= limit) {
          break;
        }
      }
      return seqs;
    }, []);
  };
}

function like(text: string): string {
  return `%${text.replace(/[%_\\]/g, '\\$&')}%`;
}

function isIn(packed: unknown, packing: number, needles: readonly string[]): boolean {
  const raw = guarded(() => unpack(packed, packing), '');
  const text = (typeof raw === 'string' ? raw : Buffer.from(raw as Uint8Array).toString('utf8')).toLowerCase();
  return needles.some((needle) => text.includes(needle));
}
