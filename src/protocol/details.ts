import type { AnomalySeverity } from './anomaly.ts';
import type { OutcomeKind, RetryClass, SignalStrength } from './outcome.ts';
import type { RowView } from './timelineViews.ts';

/** Half-open, in UTF-16 code units. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A part of a message that is not in its tree: the rest of a long text, or the further items or members of something. */
export interface JsonCut {
  /** RFC 6901, of the text, list or object that was cut. */
  readonly pointer: string;
  readonly kind: 'text' | 'items';
  /** UTF-16 code units of the whole text; items or members of the whole. */
  readonly total: number;
}

/** What a message's tree is made from. */
export type TreeSource =
  /** `PayloadView.raw`, which is the whole message and JSON. */
  | { readonly kind: 'raw' }
  /** A JSON text of its own, in which long parts were cut. */
  | { readonly kind: 'cut'; readonly json: string; readonly cuts: readonly JsonCut[] }
  /** None: `text` says why. */
  | { readonly kind: 'none'; readonly text: string };

/** An image that a message declares. */
export interface ImageView {
  readonly pointer: string;
  readonly mimeType: string;
  readonly bytes: number;
}

/** A message, laid out and as on the wire. Text is the server's: shown as text nodes only. */
export interface PayloadView {
  readonly seq: number;
  /** Laid out for reading; at most its beginning. */
  readonly text: string;
  /** Places of `text` that decided. */
  readonly highlights: readonly TextSpan[];
  /** The message as on the wire, at most its beginning; bytes that are no UTF-8 are written `\xNN`. */
  readonly raw: string;
  /** Of `raw`: what stands for such bytes. */
  readonly invalid: readonly TextSpan[];
  readonly tree: TreeSource;
  /** RFC 6901 pointers of the places that decided. */
  readonly pointers: readonly string[];
  readonly images: readonly ImageView[];
  /** Size of the whole in bytes; more than `text` or `raw` hold when `isTruncated`. */
  readonly bytes: number;
  readonly isTruncated: boolean;
}

/** One HTTP exchange that carried a request or its answer. Secrets are replaced in it. */
export interface HttpView {
  readonly seq: number;
  readonly method: string;
  readonly url: string;
  /** Absent when no answer came: see `failure`. */
  readonly status?: number;
  /** "Not Found"; empty when the number has no name. */
  readonly statusText: string;
  readonly durationUs: number;
  readonly requestHeaders: readonly (readonly [name: string, value: string])[];
  readonly responseHeaders: readonly (readonly [name: string, value: string])[];
  /** Body of an answer that is not JSON-RPC. */
  readonly body?: string;
  readonly failure?: string;
}

/** A line that the server wrote to stderr at about the time of an exchange. */
export interface StderrView {
  /** From the start of the exchange, µs; negative before it. */
  readonly offsetUs: number;
  readonly level: 'debug' | 'info' | 'warning' | 'error' | 'unknown';
  /** Empty when it is not known. */
  readonly levelText: string;
  readonly text: string;
}

export interface AttemptView {
  readonly key: number;
  /** "attempt 2 of 3"; what the row says of itself when it is not known which attempt it is. */
  readonly text: string;
  /** Why it was made; empty for the first. */
  readonly reason: string;
  readonly outcome: OutcomeKind | undefined;
  readonly outcomeText: string;
  /** Wait before it, ms. */
  readonly delayMs: number;
  /** Absent while it is pending. */
  readonly durationUs?: number;
}

/** The exchange that a row can be compared with. */
export interface CompareView {
  readonly base: number;
  /** "search_books · 14:02:08.020". */
  readonly label: string;
}

/** One difference between two answers. */
export interface ChangeView {
  readonly kind: 'added' | 'removed' | 'changed' | 'moved';
  readonly kindText: string;
  readonly pointer: string;
  /** Within the text at `pointer`, which is JSON. */
  readonly inner?: string;
  /** Short JSON texts. */
  readonly before?: string;
  readonly after?: string;
  readonly from?: string;
  /** Why it may differ each time; absent when it means something. */
  readonly volatileText?: string;
}

/** How an exchange differs from another, which came before it. */
export interface DiffView {
  /** "tool error → success on attempt 2 after 1.4 s". */
  readonly sentence: string;
  readonly before: OutcomeKind | undefined;
  readonly after: OutcomeKind | undefined;
  readonly changes: readonly ChangeView[];
  /** What is to be said of them all: nothing differs, only volatile parts do, it is too large. Empty when they say it. */
  readonly note: string;
  /** Volatile changes, shown or not. */
  readonly volatileCount: number;
  readonly omittedText: string;
}

/** Forms in which an exchange can be put on the clipboard; a test holds it against the generators' own list. */
export type CopyFormatName = 'json' | 'raw' | 'curl' | 'call' | 'vitest' | 'pytest';

/** The picture of a declared image, or why there is none. */
export type ImageResult =
  | { readonly mimeType: string; readonly base64: string; readonly width: number; readonly height: number }
  | { readonly refusal: string };

/** What the details pane says of itself, translated by the host. */
export interface DetailsStrings {
  readonly http: string;
  readonly compare: string;
  readonly noResponse: string;
  readonly tree: string;
  readonly raw: string;
  readonly view: string;
  readonly showAll: string;
  readonly decoded: string;
  /** "{count} more". */
  readonly more: string;
  readonly copyValue: string;
  readonly copyPointer: string;
  readonly showPlace: string;
  readonly showImage: string;
  readonly hideImage: string;
  readonly copyAs: string;
  readonly moreActions: string;
  readonly editReplay: string;
  readonly selectForCompare: string;
  readonly compareWithSelected: string;
  readonly openRequest: string;
  readonly openResponse: string;
  readonly openTextDiff: string;
  /** "Ignore times, ids and durations ({count})". */
  readonly ignoreVolatile: string;
  readonly comparedWith: string;
  readonly requestHeaders: string;
  readonly responseHeaders: string;
  readonly body: string;
  /** "after {delay}". */
  readonly waited: string;
  readonly formats: Readonly<Record<CopyFormatName, string>>;
}

export interface SignalView {
  readonly text: string;
  readonly strength: SignalStrength;
  readonly strengthText: string;
  readonly pointer?: string;
}

/** Something unusual beside the outcome, with what to do about it. `seq` is the message in which it was seen. */
export interface AnomalyView {
  readonly severity: AnomalySeverity;
  readonly severityText: string;
  readonly text: string;
  readonly remedy: string;
  readonly pointer?: string;
  readonly seq: number;
}

export interface DetailsView {
  readonly row: RowView;
  readonly title: string;
  /** "bookshop · tools/call · id 41". */
  readonly subtitle: string;
  /** "2025-11-25 · stdio · 2026-01-31 14:02:08.020"; the page puts the duration before it. */
  readonly facts: string;
  readonly why: {
    readonly summary: string;
    readonly signals: readonly SignalView[];
    readonly retry: { readonly class: RetryClass; readonly text: string };
    readonly missing: readonly string[];
    /** Cause, exit code, stderr tail and remedy of a lost or failed connection, one line each. */
    readonly failure: readonly string[];
  };
  readonly request?: PayloadView;
  readonly response?: PayloadView;
  /** Why there is no response; empty when it is there or when none is due. */
  readonly noResponse: string;
  readonly attempts: readonly AttemptView[];
  readonly http: readonly HttpView[];
  /** `key`: the row that it is about, to jump to; without one, the message is opened. */
  readonly related: readonly { readonly seq: number; readonly text: string; readonly key?: number }[];
  /** What was unusual beside the outcome; absent or empty when nothing was. */
  readonly anomalies?: readonly AnomalyView[];
  readonly stderr: readonly StderrView[];
  /** What it can be compared with: the row that was chosen for that, or its replay or the row that it replays. */
  readonly compare?: CompareView;
  /** A row was chosen with which any other can be compared. */
  readonly isCompareChosen: boolean;
  readonly copyFormats: readonly CopyFormatName[];
  readonly canEditReplay: boolean;
  /** The row calls a tool, whose source can be looked for. */
  readonly hasToolSource?: boolean;
  /** Why Replay is not offered; absent when it is. */
  readonly replayRefusal?: string;
}
