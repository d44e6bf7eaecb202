import type { EventBody } from '../../protocol/events.ts';

/** A body as the log stores it. */
export interface EncodedBody {
  /** JSON, without what `raw` holds. */
  readonly body: string;
  /** Text, or bytes where text cannot give them back. */
  readonly raw: string | Uint8Array | null;
}

/** Splits a body into its columns. Throws when it is no JSON (a cycle, a bigint); the log makes a gap of that. */
export function encodeBody(body: EventBody): EncodedBody {
  switch (body.kind) {
    case 'message': {
      const { direction, bytes, envelope, http, redactions } = body;
      return withRaw({ direction, bytes, envelope, http, redactions }, body.raw, body.rawBytes);
    }
    case 'noise': {
      const { stream, bytes, problem } = body;
      return withRaw({ stream, bytes, problem }, body.raw, body.rawBytes);
    }
    default:
      return { body: JSON.stringify(body), raw: null };
  }
}

/** Puts a body together again. Throws when the columns were not written by `encodeBody`. */
export function decodeBody(kind: string, body: string, raw: unknown): EventBody {
  // Trusted as far as the file is ours: what fails here is caught by the store and told as an unreadable event.
  const fields = JSON.parse(body) as { kind?: string; raw?: string; rawBytes?: Uint8Array };
  if (kind === 'message' || kind === 'noise') {
    fields.kind = kind;
    if (raw instanceof Uint8Array) {
      fields.rawBytes = raw;
    }
    // `raw` in the JSON wins: it is there only when the column cannot give the text back.
    if (fields.raw === undefined && raw !== null) {
      fields.raw = raw instanceof Uint8Array ? decodeText(raw) : String(raw);
    }
  }
  return fields as EventBody;
}

function withRaw(fields: object, raw: string, rawBytes: Uint8Array | undefined): EncodedBody {
  if (rawBytes !== undefined) {
    return { body: JSON.stringify(decodeText(rawBytes) === raw ? fields : { ...fields, raw }), raw: rawBytes };
  }
  if (!isSafeText(raw)) {
    return { body: JSON.stringify({ ...fields, raw }), raw: null };
  }
  return { body: JSON.stringify(fields), raw };
}

/**
 * May SQLite hold this text as TEXT? `node:sqlite` reads TEXT up to the first NUL, and UTF-8 has no lone surrogates; JSON
 * escapes both.
 */
function isSafeText(text: string): boolean {
  return !text.includes('\0') && (text as string & { isWellFormed(): boolean }).isWellFormed();
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
