import { isSameSecret } from '../transport/sameSecret.ts';
import { type HeaderPair, headerOf } from './httpHeaders.ts';

/** The header by which a client shows that it may use a tap that others can reach. It is not passed on. */
export const TOKEN_HEADER = 'faultline-token';

const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Why a request is not let in, as HTTP says it; `undefined` when it is. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly text: string;
}

/**
 * Whether a request may pass. With a token, whoever knows it. Without one, whoever is on this machine and means to be: a
 * page in its browser reaches 127.0.0.1 too, under a name of its own (DNS rebinding), and the server behind us cannot see
 * that name any more (MCP, "Security Warning" of Streamable HTTP).
 */
export function refusalOf(headers: readonly HeaderPair[], token: string | undefined): Refusal | undefined {
  if (token !== undefined) {
    return isSameSecret(headerOf(headers, TOKEN_HEADER) ?? '', token)
      ? undefined
      : { status: 401, text: `The header Faultline-Token is missing or is not the tap's token.` };
  }
  return LOCAL_HOST.test(headerOf(headers, 'host') ?? '')
    ? undefined
    : { status: 403, text: 'The tap takes requests for this machine only, by the name localhost or its address.' };
}
