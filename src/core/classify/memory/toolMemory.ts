import type { ToolHistory } from '../../../protocol/call.ts';
import { isObject } from '../../../protocol/json.ts';
import type { JsonObject } from '../../../protocol/jsonrpc.ts';
import { isEmptyValue } from '../json.ts';
import { viewResult } from '../resultView.ts';

const MAX_COUNT = 1000;
const MAX_OPENINGS = 32;
const MAX_MEMBERS = 64;
/** Durations that the median is taken of, the newest ones. */
const DURATIONS = 32;
/** Fewer say nothing of what is usual. */
const MIN_DURATIONS = 5;

/** What is remembered of one tool, or of one method without tools, of a server: how it answers and how long it takes. */
export class ToolMemory {
  private successes = 0;
  private withContent = 0;
  private withData = 0;
  private members: readonly string[] = [];
  private readonly openings = new Set<string>();
  private readonly durations: number[] = [];
  private next = 0;

  /** What is known so far, or `undefined` when nothing is. */
  history(): ToolHistory | undefined {
    return this.successes === 0
      ? undefined
      : {
          successes: this.successes,
          withContent: this.withContent,
          withData: this.withData,
          members: this.members,
          openings: [...this.openings],
        };
  }

  /** Takes in an answer that was judged a success. */
  learn(result: JsonObject): void {
    const view = viewResult(result, '');
    const object = view.data.find(({ value }) => isObject(value))?.value;
    const keys = isObject(object) ? Object.keys(object).slice(0, MAX_MEMBERS) : [];
    this.members = this.successes === 0 ? keys : this.members.filter((key) => keys.includes(key));
    if (this.successes < MAX_COUNT) {
      this.successes += 1;
      const hasContent =
        view.hasOtherBlocks ||
        view.texts.some(({ text }) => text.trim() !== '') ||
        view.data.some(({ value }) => !isEmptyValue(value));
      this.withContent += hasContent ? 1 : 0;
      this.withData += view.data.length > 0 ? 1 : 0;
    }
    const first = view.texts[0];
    if (first !== undefined && this.openings.size < MAX_OPENINGS) {
      this.openings.add(openingOf(first.text));
    }
  }

  /** Takes in how long an answer took, µs. */
  took(durationUs: number): void {
    this.durations[this.next] = durationUs;
    this.next = (this.next + 1) % DURATIONS;
  }

  /** The usual duration, µs; `undefined` as long as too few are known. */
  medianUs(): number | undefined {
    if (this.durations.length < MIN_DURATIONS) {
      return undefined;
    }
    const sorted = [...this.durations].sort((a, b) => a - b);
    return sorted[sorted.length >> 1];
  }
}

/** How a text begins: its first two words in lower case, numbers left out. */
export function openingOf(text: string): string {
  return text
    .slice(0, 200)
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')
    .slice(0, 2)
    .join(' ')
    .slice(0, 40);
}
