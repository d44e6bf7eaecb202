/** What is kept of requests in all, UTF-16 code units. */
const MAX_LENGTH = 8 * 1024 * 1024;
/** Longer requests are not kept. */
const MAX_REQUEST = 64 * 1024;

/** The newest requests as they were on the wire, by key. Bounded by their length. */
export class RequestTexts {
  private readonly texts = new Map<number, string>();
  private length = 0;

  set(key: number, raw: string): void {
    if (raw.length > MAX_REQUEST || this.texts.has(key)) {
      return;
    }
    this.texts.set(key, raw);
    this.length += raw.length;
    for (const [oldest, text] of this.texts) {
      if (this.length <= MAX_LENGTH) {
        return;
      }
      this.texts.delete(oldest);
      this.length -= text.length;
    }
  }

  get(key: number): string | undefined {
    return this.texts.get(key);
  }
}
