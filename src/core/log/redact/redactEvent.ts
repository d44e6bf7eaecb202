import type {
  EventBody,
  HttpBody,
  LifecycleBody,
  LifecycleStep,
  MessageBody,
  NewLogEvent,
  NoiseBody,
  NoteBody,
  TransportFailure,
} from '../../../protocol/events.ts';
import { privateKeyEdge } from './dashes.ts';
import type { Redactor } from './redactor.ts';

/** Streams within a private key; beyond this many the oldest is forgotten. */
const MAX_OPEN_KEYS = 64;
/** No key has more lines; what goes on longer is something else. */
const MAX_KEY_LINES = 400;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Redacts events before they are queued, written or told. Every text that came from outside is looked through; the
 * envelope, and the ids in it, stay. An event without a secret is given back as it is.
 */
export class EventRedaction {
  private readonly redactor: Redactor;
  /** Lines of a private key that is under way, by connection and stream. */
  private readonly openKeys = new Map<string, number>();

  constructor(redactor: Redactor) {
    this.redactor = redactor;
  }

  /** The event without secrets. Never throws on an event that the log would take. */
  redact(event: NewLogEvent): NewLogEvent {
    const body = this.bodyOf(event);
    return body === event.body ? event : { ...event, body };
  }

  private bodyOf({ body, connection }: NewLogEvent): EventBody {
    switch (body.kind) {
      case 'message':
        return this.message(body);
      case 'noise':
        return this.noise(body, `${connection}:${body.stream}`);
      case 'stderr': {
        const line = this.line(body.line, `${connection}:stderr`);
        return line === body.line ? body : { ...body, line };
      }
      case 'http':
        return this.http(body);
      case 'lifecycle':
        return this.lifecycle(body);
      case 'local-end':
        return body.end.kind === 'transport'
          ? { ...body, end: { ...body.end, failure: this.failure(body.end.failure) } }
          : body;
      case 'note':
        return this.note(body);
      case 'attempt':
        return body;
    }
  }

  private note(body: NoteBody): NoteBody {
    const { note } = body;
    if (note.type === 'mark' && typeof note.text === 'string') {
      return { ...body, note: { ...note, text: this.text(note.text) } };
    }
    if (note.type === 'injected' && note.original !== undefined) {
      const { text, count } = this.redactor.redact(note.original.raw, true);
      return count === 0 ? body : { ...body, note: { ...note, original: { ...note.original, raw: text } } };
    }
    return body;
  }

  private message(body: MessageBody): MessageBody {
    const { text, count } = this.redactor.redact(body.raw, isJson(body), keptOf(body));
    if (count > 0) {
      // The bytes hold what the text no longer does.
      const { rawBytes: _bytes, ...rest } = body;
      return { ...rest, raw: text, redactions: count };
    }
    return body;
  }

  private noise(body: NoiseBody, stream: string): NoiseBody {
    const raw = this.line(body.raw, stream);
    const { rawBytes, ...rest } = body;
    if (raw !== body.raw) {
      return { ...rest, raw };
    }
    // Of a frame that was cut, the bytes may go on where the text ends.
    return rawBytes === undefined || this.redactor.redact(decoder.decode(rawBytes), false).count === 0 ? body : rest;
  }

  /** One line of a stream, which may be in the middle of a private key. */
  private line(line: string, stream: string): string {
    const lines = this.openKeys.get(stream);
    const edge = this.openKeys.size === 0 && !line.includes('PRIVATE KEY') ? undefined : privateKeyEdge(line);
    if (lines !== undefined) {
      this.openKeys.delete(stream);
      if (edge === 'end' || lines >= MAX_KEY_LINES || !isKeyLine(line)) {
        return this.text(line);
      }
      this.openKeys.set(stream, lines + 1);
      return line.trim() === '' ? line : this.redactor.placeholderOf('private-key', line.trim());
    }
    if (edge === 'begin') {
      const [oldest] = this.openKeys.keys();
      if (this.openKeys.size >= MAX_OPEN_KEYS && oldest !== undefined) {
        this.openKeys.delete(oldest);
      }
      this.openKeys.set(stream, 1);
    }
    return this.text(line);
  }

  private http(body: HttpBody): HttpBody {
    return {
      ...body,
      url: this.text(body.url),
      requestHeaders: this.headers(body.requestHeaders),
      responseHeaders: this.headers(body.responseHeaders),
      ...(body.body === undefined ? {} : { body: this.text(body.body) }),
      ...(body.failure === undefined ? {} : { failure: this.failure(body.failure) }),
    };
  }

  /** As members of JSON, since its name tells what a value may be. */
  private headers(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const { text, count } = this.redactor.redact(JSON.stringify(headers), true);
    return count === 0 ? headers : (JSON.parse(text) as Readonly<Record<string, string>>);
  }

  private lifecycle(body: LifecycleBody): LifecycleBody {
    return { ...body, detail: this.step(body.detail) };
  }

  private step(detail: LifecycleStep): LifecycleStep {
    switch (detail.step) {
      case 'spawn':
        return { ...detail, command: this.text(detail.command), args: this.args(detail.args) };
      case 'connecting':
        return { ...detail, url: this.text(detail.url) };
      case 'failed':
        return { ...detail, failure: this.failure(detail.failure) };
      default:
        return detail;
    }
  }

  /** Looked at with the one before, which may be the option that names it. */
  private args(args: readonly string[]): readonly string[] {
    return args.map((arg, index) => {
      const before = args[index - 1] ?? '';
      if (!/^--?[A-Za-z][\w-]*$/.test(before) || arg.startsWith('-') || arg === '') {
        return this.text(arg);
      }
      const head = `-${before.replace(/^-+/, '-')} `;
      const line = this.text(`${head}${JSON.stringify(arg)}`);
      const redacted = line.startsWith(head) ? parseString(line.slice(head.length)) : undefined;
      return redacted ?? this.text(arg);
    });
  }

  private failure(failure: TransportFailure): TransportFailure {
    const { stderrTail } = failure;
    return {
      ...failure,
      message: this.text(failure.message),
      ...(stderrTail === undefined ? {} : { stderrTail: this.tail(stderrTail) }),
    };
  }

  /** Several lines at once, so that a key that spans them is seen. */
  private tail(lines: readonly string[]): readonly string[] {
    const stream = 'stderrTail';
    const redacted = lines.map((line) => this.line(line, stream));
    this.openKeys.delete(stream);
    return redacted;
  }

  private text(text: string): string {
    return this.redactor.redact(text, false).text;
  }
}

/** What may stand within a private key, behind the marks of a quotation. */
function isKeyLine(line: string): boolean {
  return /^[\w+/=:, -]*$/.test(line.trimEnd().replace(/^[\s>|]+/, ''));
}

function isJson({ envelope }: MessageBody): boolean {
  return envelope.kind !== 'invalid' || envelope.problem !== 'not-json';
}

/** The strings of the envelope, by which messages are joined: they are ids, whatever they look like. */
function keptOf({ envelope }: MessageBody): readonly string[] {
  switch (envelope.kind) {
    case 'request':
      return [envelope.id, envelope.progressToken].filter((each) => typeof each === 'string');
    case 'result':
    case 'error':
      return typeof envelope.id === 'string' ? [envelope.id] : [];
    default:
      return [];
  }
}

function parseString(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
