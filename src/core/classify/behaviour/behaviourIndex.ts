import type { Behaviour } from '../../../protocol/behaviour.ts';
import { BoundedMap } from '../boundedMap.ts';

const EXCHANGES = 20_000;
const MAX_OF_EXCHANGE = 16;

/** Finds the behaviours that an exchange is part of, by its key. Bounded: the oldest are forgotten. */
export class BehaviourIndex {
  private readonly byExchange = new BoundedMap<number, readonly Behaviour[]>(EXCHANGES);

  /** Takes a behaviour, in the place of an earlier one with its id. */
  add(behaviour: Behaviour): void {
    for (const key of behaviour.exchanges) {
      const others = (this.byExchange.get(key) ?? []).filter(({ id }) => id !== behaviour.id);
      this.byExchange.set(key, [...others, behaviour].slice(-MAX_OF_EXCHANGE));
    }
  }

  /** In the order in which they were found. */
  of(key: number): readonly Behaviour[] {
    return this.byExchange.get(key) ?? [];
  }
}
