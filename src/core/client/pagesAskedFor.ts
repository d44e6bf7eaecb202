import type { RawEnd } from '../../protocol/call.ts';
import { isObject, memberOf } from '../../protocol/json.ts';
import type { JsonValue } from '../../protocol/jsonrpc.ts';
import { stringOf } from './json.ts';

/** A page of the web that a server wants its user to open. */
export interface PageAsked {
  readonly url: URL;
  /** What the server says about it; hostile. */
  readonly message: string;
}

/** More than a person would look at one by one. */
const MAX_PAGES = 5;

/**
 * The pages that have to be visited before the same call can succeed: those of the error -32042 (2025-11-25, "URL Mode
 * Elicitation for Sensitive Data"), and those that a round of input asks for by `mode: "url"` (2026-07-28). Anything that is
 * no address of the web is left out.
 */
export function pagesAskedFor(end: RawEnd): readonly PageAsked[] {
  return asked(end)
    .flatMap((request) => {
      const url = isObject(request) ? stringOf(request, 'url') : undefined;
      const parsed = url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
      const isWeb = parsed?.protocol === 'https:' || parsed?.protocol === 'http:';
      return parsed !== undefined && isWeb ? [{ url: parsed, message: stringOf(request, 'message') ?? '' }] : [];
    })
    .slice(0, MAX_PAGES);
}

function asked(end: RawEnd): readonly JsonValue[] {
  if (end.kind === 'error' && end.error.code === -32042) {
    const elicitations = memberOf(end.error.data, 'elicitations');
    return Array.isArray(elicitations) ? elicitations : [];
  }
  const requests = end.kind === 'result' ? memberOf(end.result, 'inputRequests') : undefined;
  return isObject(requests)
    ? Object.values(requests).flatMap((request) => {
        const params = memberOf(request, 'params');
        return stringOf(params, 'mode') === 'url' ? [params ?? null] : [];
      })
    : [];
}
