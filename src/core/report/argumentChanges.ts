import { isObject, jsonText } from '../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';
import type { ArgumentChange } from '../../protocol/report.ts';
import { get } from '../classify/json.ts';
import { diffResults } from '../replay/resultDiff.ts';
import { answerIn } from './failureText.ts';

/** Parts that are told of one recovery. */
const MAX_CHANGES = 8;
const MAX_VALUE = 80;

/** What was changed between two calls of a tool. */
export interface ArgumentDifference {
  readonly changes: readonly ArgumentChange[];
  /** Changes beyond those. */
  readonly omitted: number;
}

/**
 * What differs in the arguments of two recorded `tools/call` requests, in the order of the later ones. `redact` replaces
 * secrets in JSON. `undefined` when one of them cannot be read.
 */
export function argumentChanges(
  before: { readonly raw: string; readonly id: string | number | undefined },
  after: { readonly raw: string; readonly id: string | number | undefined },
  redact: (json: string) => string,
): ArgumentDifference | undefined {
  const [old, now] = [before, after].map(({ raw, id }) => argumentsOf(raw, id, redact));
  if (old === undefined || now === undefined) {
    return undefined;
  }
  const { changes } = diffResults(old, now, { isTextOpened: false });
  return {
    changes: changes.slice(0, MAX_CHANGES).map(({ pointer, kind, before: was, after: is }) => ({
      pointer,
      kind,
      ...(was === undefined ? {} : { before: brief(was) }),
      ...(is === undefined ? {} : { after: brief(is) }),
    })),
    omitted: Math.max(0, changes.length - MAX_CHANGES),
  };
}

function argumentsOf(
  raw: string,
  id: string | number | undefined,
  redact: (json: string) => string,
): JsonObject | undefined {
  const request = answerIn(raw, id);
  const params = request === undefined ? undefined : get(request, 'params');
  if (!isObject(params)) {
    return undefined;
  }
  const given = get(params, 'arguments') ?? {};
  try {
    const redacted = JSON.parse(redact(jsonText(given))) as JsonValue;
    return isObject(redacted) ? redacted : undefined;
  } catch {
    // A pattern of the user's own made it other than JSON: then nothing of it is shown.
    return undefined;
  }
}

function brief(value: JsonValue): string {
  const text = jsonText(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE).toWellFormed()}…` : text;
}
