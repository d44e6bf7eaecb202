import type { DatabaseSync } from 'node:sqlite';
import type { NewLogEvent, SessionId } from '../../protocol/events.ts';
import { guarded } from './rows.ts';
import type { SessionInfo } from './store.ts';

interface Tally {
  /** Of its first event in the batch. */
  readonly index: number;
  firstUs: number;
  lastUs: number;
  events: number;
  bytes: number;
}

/** The table `session` of a database that `prepareSchema` has set up. Counts are kept within the writer's transaction. */
export function createSessionTable(db: DatabaseSync) {
  const statements = {
    add: db.prepare(
      `INSERT INTO session (id, first_seq, first_us, last_us, events, bytes) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET
         first_seq = CASE events WHEN 0 THEN excluded.first_seq ELSE first_seq END,
         first_us = CASE events WHEN 0 THEN excluded.first_us ELSE first_us END,
         last_us = MAX(last_us, excluded.last_us), events = events + excluded.events, bytes = bytes + excluded.bytes`,
    ),
    list: db.prepare(
      `SELECT id, first_seq AS firstSeq, first_us AS firstUs, last_us AS lastUs, events, bytes, name, pinned FROM session
       WHERE events > 0 OR pinned <> 0 OR name IS NOT NULL ORDER BY first_us, id`,
    ),
    name: db.prepare('UPDATE session SET name = ? WHERE id = ?'),
    pin: db.prepare('UPDATE session SET pinned = ? WHERE id = ?'),
  };
  return {
    /** What a batch adds to its sessions, to be told `firstSeq` before the commit. */
    tally() {
      const tallies = new Map<SessionId, Tally>();
      let count = 0;
      let last: { readonly session: SessionId; readonly tally: Tally } | undefined;
      return {
        add({ session, wallUs }: NewLogEvent, bytes: number): void {
          if (last?.session !== session) {
            const tally = tallies.get(session) ?? {
              index: count,
              firstUs: wallUs,
              lastUs: wallUs,
              events: 0,
              bytes: 0,
            };
            tallies.set(session, tally);
            last = { session, tally };
          }
          const { tally } = last;
          tally.firstUs = Math.min(tally.firstUs, wallUs);
          tally.lastUs = Math.max(tally.lastUs, wallUs);
          tally.events++;
          count++;
          tally.bytes += bytes;
        },
        write(firstSeq: number): void {
          for (const [session, { index, firstUs, lastUs, events, bytes }] of tallies) {
            statements.add.run(session, firstSeq + index, Math.round(firstUs), Math.round(lastUs), events, bytes);
          }
        },
      };
    },
    list(): readonly SessionInfo[] {
      const rows = guarded(() => statements.list.all() as unknown as ReadonlyArray<SessionRow>, []);
      return rows.map(({ name, pinned, ...rest }) => ({
        ...rest,
        ...(name === null ? {} : { name }),
        pinned: pinned !== 0,
      }));
    },
    setName: (id: SessionId, name: string | undefined) =>
      guarded(() => Number(statements.name.run(name ?? null, id).changes) > 0, false),
    setPinned: (id: SessionId, isPinned: boolean) =>
      guarded(() => Number(statements.pin.run(Number(isPinned), id).changes) > 0, false),
  };
}

type SessionRow = Omit<SessionInfo, 'name' | 'pinned'> & { readonly name: string | null; readonly pinned: number };
