/** A map that forgets its oldest entry when it would hold more than `limit`. Setting a key anew makes it the newest. */
export class BoundedMap<K, V> {
  private readonly entries = new Map<K, V>();
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  get size(): number {
    return this.entries.size;
  }

  get(key: K): V | undefined {
    return this.entries.get(key);
  }

  set(key: K, value: V): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size > this.limit) {
      const oldest = this.entries.keys().next();
      if (oldest.done !== true) {
        this.entries.delete(oldest.value);
      }
    }
  }

  delete(key: K): void {
    this.entries.delete(key);
  }

  /** The entries' values, oldest first. */
  values(): IterableIterator<V> {
    return this.entries.values();
  }
}
