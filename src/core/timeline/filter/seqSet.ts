/** Bits of a page. */
const PAGE_BITS = 1 << 15;

/** A set of `seq`s, an eighth of a byte each where they lie close together. Asked in order, it looks up few pages. */
export class SeqSet {
  private readonly pages = new Map<number, Uint32Array>();
  private current: Uint32Array | undefined;
  private currentPage = -1;
  private count = 0;

  get size(): number {
    return this.count;
  }

  add(seq: number): void {
    const page = this.pageOf(seq) ?? this.create(seq);
    const bit = seq % PAGE_BITS;
    const before = page[bit >>> 5] ?? 0;
    const after = before | (1 << (bit & 31));
    if (before !== after >>> 0) {
      page[bit >>> 5] = after;
      this.count++;
    }
  }

  has(seq: number): boolean {
    const page = this.pageOf(seq);
    const bit = seq % PAGE_BITS;
    return page !== undefined && ((page[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
  }

  private pageOf(seq: number): Uint32Array | undefined {
    const number = Math.floor(seq / PAGE_BITS);
    if (number !== this.currentPage) {
      this.currentPage = number;
      this.current = this.pages.get(number);
    }
    return this.current;
  }

  private create(seq: number): Uint32Array {
    const page = new Uint32Array(PAGE_BITS >>> 5);
    this.pages.set(Math.floor(seq / PAGE_BITS), page);
    this.current = page;
    return page;
  }
}
