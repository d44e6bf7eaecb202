/** A growing list of row numbers, 4 bytes each. Appending is amortised O(1); in the middle it moves what follows. */
export class IndexList {
  private data = new Uint32Array(16);
  private size = 0;

  get length(): number {
    return this.size;
  }

  get byteLength(): number {
    return this.data.byteLength;
  }

  /** The number at `position`, which must be within the list. */
  at(position: number): number {
    // Within the list by contract; a typed array has no holes.
    return this.data[position] as number;
  }

  push(value: number): void {
    this.reserve(1);
    this.data[this.size++] = value;
  }

  /** Makes `values` stand at `position`, moving what was there behind them. */
  insert(position: number, values: readonly number[]): void {
    if (values.length === 0) {
      return;
    }
    this.reserve(values.length);
    this.data.copyWithin(position + values.length, position, this.size);
    this.data.set(values, position);
    this.size += values.length;
  }

  remove(position: number, count: number): void {
    this.data.copyWithin(position, position + count, this.size);
    this.size -= count;
  }

  clear(): void {
    this.size = 0;
  }

  /** The first position for which `isBefore` is false; it must be true for a beginning of the list and false after. */
  search(isBefore: (value: number) => boolean): number {
    let [low, high] = [0, this.size];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.at(middle))) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private reserve(more: number): void {
    if (this.size + more > this.data.length) {
      const larger = new Uint32Array(Math.max(this.data.length * 2, this.size + more));
      larger.set(this.data);
      this.data = larger;
    }
  }
}
