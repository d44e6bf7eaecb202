import { describe, expect, it } from 'vitest';
import { networkFailure, type UnfitAnswer, unfitAnswer } from '../../../../src/core/transport/httpFailure.ts';

const coded = (code: string, message = '', extra: object = {}) => Object.assign(new Error(message), { code, ...extra });
/** As undici gives it. */
const fetchFailed = (cause: unknown) => new TypeError('fetch failed', { cause });

describe('networkFailure', () => {
  it.each([
    [fetchFailed(coded('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1')), 'refused', 'ECONNREFUSED'],
    [
      fetchFailed(Object.assign(new AggregateError([coded('ECONNREFUSED', 'connect ::1')]), { code: 'ECONNREFUSED' })),
      'refused',
      'ECONNREFUSED',
    ],
    [fetchFailed(coded('UND_ERR_CONNECT_TIMEOUT')), 'refused', 'UND_ERR_CONNECT_TIMEOUT'],
    [fetchFailed(coded('ETIMEDOUT', '', { syscall: 'connect' })), 'refused', 'ETIMEDOUT'],
    [fetchFailed(coded('ETIMEDOUT', '', { syscall: 'read' })), 'reset', 'ETIMEDOUT'],
    [fetchFailed(coded('ENOTFOUND')), 'unresolved', 'ENOTFOUND'],
    [fetchFailed(coded('EAI_AGAIN')), 'unresolved', 'EAI_AGAIN'],
    [fetchFailed(coded('ECONNRESET')), 'reset', 'ECONNRESET'],
    [new TypeError('terminated', { cause: coded('UND_ERR_SOCKET', 'other side closed') }), 'reset', 'UND_ERR_SOCKET'],
    [fetchFailed(coded('SELF_SIGNED_CERT_IN_CHAIN')), 'tls', 'SELF_SIGNED_CERT_IN_CHAIN'],
    [fetchFailed(coded('ERR_TLS_CERT_ALTNAME_INVALID')), 'tls', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    [fetchFailed(coded('ERR_SSL_WRONG_VERSION_NUMBER')), 'tls', 'ERR_SSL_WRONG_VERSION_NUMBER'],
    [fetchFailed(coded('UND_ERR_HEADERS_TIMEOUT')), 'unknown', 'UND_ERR_HEADERS_TIMEOUT'],
    [new TypeError('Failed to parse URL'), 'unknown', undefined],
    ['text', 'unknown', undefined],
    [undefined, 'unknown', undefined],
  ])('of %s is %s', (error, reason, code) => {
    const failure = networkFailure(error);
    expect([failure.reason, failure.code]).toEqual([reason, code]);
    expect(failure.message).not.toBe('');
  });

  it('takes the words of the innermost error', () => {
    expect(networkFailure(fetchFailed(new Error('bad port')))).toEqual({ reason: 'unknown', message: 'bad port' });
  });

  it('ends with causes that go round', () => {
    const error = new Error('round');
    error.cause = error;
    expect(networkFailure(error)).toEqual({ reason: 'unknown', message: 'round' });
  });
});

describe('unfitAnswer', () => {
  it.each<[Partial<UnfitAnswer>, string, string]>([
    [{ status: 404, hadSession: true, body: 'Session not found' }, 'session-lost', 'Session not found'],
    [{ status: 404, hadSession: true, errorCode: -32601 }, 'http-status', '404'],
    [{ status: 404, hadSession: false, body: '<h1>Not Found</h1>' }, 'http-status', '<h1>Not Found</h1>'],
    [{ status: 400, body: 'No valid Session ID provided' }, 'session-lost', '400'],
    [{ status: 400, body: 'Server not initialized' }, 'http-status', '400'],
    [{ status: 401 }, 'unauthorized', '401'],
    [{ status: 403, body: 'no' }, 'unauthorized', '403: no'],
    [{ status: 500, body: 'x'.repeat(1000) }, 'http-status', `500: ${'x'.repeat(300)}…`],
    [{ status: 307 }, 'http-status', '307'],
    [{ status: 202 }, 'accepted-without-answer', '202'],
    [{ status: 204 }, 'accepted-without-answer', '204'],
    [{ status: 200 }, 'accepted-without-answer', '200'],
    [{ status: 200, body: '<p>', contentType: 'text/html' }, 'not-json-rpc', 'text/html'],
    [{ status: 200, body: 'x' }, 'not-json-rpc', 'without a content type'],
  ])('%j is %s', (answer, reason, text) => {
    const failure = unfitAnswer({ status: 200, contentType: '', body: '', hadSession: false, ...answer });
    expect([failure.reason, failure.status]).toEqual([reason, answer.status]);
    expect(failure.message).toContain(text);
  });

  it('carries the wait that the server asked for', () => {
    const answer = { status: 429, contentType: '', body: '', hadSession: false, retryAfterMs: 3000 };
    expect(unfitAnswer(answer)).toMatchObject({ reason: 'http-status', status: 429, retryAfterMs: 3000 });
  });
});
