import type { Disposable } from '../../base/disposable.ts';
import type { ChainId } from '../../protocol/events.ts';
import type { ReadableLog } from '../recording.ts';

/** Notes to which rows replays come, as their events are recorded. */
export class ReplayRows implements Disposable {
  private readonly rows = new Map<ChainId, number>();
  /** First attempts that were announced and whose request has not been seen yet, by their token. */
  private readonly announced = new Map<string, ChainId>();
  private readonly listening: Disposable;

  constructor(log: Pick<ReadableLog, 'onDidAppend'>) {
    this.listening = log.onDidAppend((events) => {
      for (const { seq, body, origin } of events) {
        if (body.kind === 'attempt' && origin === 'replay' && body.decision === 'send' && body.token !== undefined) {
          this.announce(body.chain, body.token);
        } else if (body.kind === 'message' && body.direction === 'sent') {
          this.see(seq, body.raw);
        }
      }
    });
  }

  /** Key of the row under which the attempts of a chain stand; `undefined` while nothing of it was sent. */
  rowOf(chain: ChainId): number | undefined {
    return this.rows.get(chain);
  }

  dispose(): void {
    this.listening.dispose();
  }

  private announce(chain: ChainId, token: string): void {
    if (!this.rows.has(chain)) {
      this.announced.set(token, chain);
    }
  }

  private see(seq: number, raw: string): void {
    for (const [token, chain] of this.announced) {
      if (raw.includes(JSON.stringify(token))) {
        this.announced.delete(token);
        this.rows.set(chain, this.rows.get(chain) ?? seq);
        return;
      }
    }
  }
}
