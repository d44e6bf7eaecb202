import type { TextArgs } from '../../../base/text.ts';
import type { HttpBody, TransportFailure } from '../../../protocol/events.ts';

type Exchange = Pick<HttpBody, 'status' | 'responseHeaders' | 'url' | 'body'>;

const LOGIN = /log-?in|sign-?in|auth|sso|oauth|accounts?\./i;

/** What an HTTP failure comes from; `undefined` when its own sentence says as much. */
export function httpCause(
  failure: TransportFailure,
  http: Exchange | undefined,
): { readonly code: string; readonly args: TextArgs } | undefined {
  const url = http?.url ?? '';
  switch (failure.reason) {
    case 'refused':
      return { code: 'start.refused', args: { url } };
    case 'unresolved':
      return { code: 'start.unresolved', args: { url } };
    case 'tls':
      return { code: tlsCode(failure.code ?? ''), args: { url } };
    case 'unauthorized':
      if (failure.code !== undefined) {
        return { code: 'start.signInFailed', args: { url, problem: failure.message } };
      }
      return { code: failure.status === 403 ? 'start.forbidden' : 'start.unauthorized', args: { url } };
    case 'not-json-rpc':
      return isHtml(failure, http) ? { code: 'start.html', args: { url } } : undefined;
    case 'http-status':
      return statusCause(failure, http);
    default:
      return undefined;
  }
}

function statusCause(failure: TransportFailure, http: Exchange | undefined) {
  const status = failure.status ?? http?.status ?? 0;
  const args = { status, url: http?.url ?? '' };
  const location = http?.responseHeaders['location'] ?? '';
  if (status >= 300 && status < 400) {
    return { code: LOGIN.test(location) ? 'start.redirectToLogin' : 'start.redirect', args: { ...args, location } };
  }
  switch (status) {
    case 404:
      return { code: 'start.http404', args };
    case 405:
      return { code: 'start.http405', args };
    case 406:
    case 415:
      return { code: 'start.httpMedia', args };
    case 407:
      return { code: 'start.proxy', args };
    case 429:
      return { code: 'start.rateLimited', args };
    case 502:
    case 503:
    case 504:
      return { code: 'start.gateway', args };
    default:
      return status >= 500 ? { code: 'start.httpServerError', args } : undefined;
  }
}

function tlsCode(code: string): string {
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return 'start.tlsExpired';
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH') {
    return 'start.tlsName';
  }
  if (code === 'EPROTO' || /^ERR_SSL_(?:WRONG_VERSION|PACKET_LENGTH|HTTP_REQUEST)/.test(code)) {
    return 'start.tlsPlain';
  }
  return /SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(?:GET|VERIFY)/.test(code) ? 'start.tlsUntrusted' : 'start.tls';
}

function isHtml({ message }: TransportFailure, http: Exchange | undefined): boolean {
  return (
    /html/i.test(http?.responseHeaders['content-type'] ?? '') ||
    /^\s{0,20}<(?:!doctype|html)/i.test(http?.body ?? '') ||
    /of type text\/html|<!doctype html|<html/i.test(message)
  );
}
