import http from 'node:http';
import https from 'node:https';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { messageOf } from '../../../base/messageOf.ts';
import { safeLine } from '../../../base/safeText.ts';
import { retryAfterMs } from '../../transport/retryAfter.ts';
import type { Encoding } from './encode.ts';
import type { Sent, Transport, TransportSettings } from './transport.ts';

/** OTLP/HTTP, "Failures": worth trying again. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** More of an answer is not read: there is nothing in it for us. */
const MAX_ANSWER = 64 * 1024;
const MAX_WHY = 200;

const compress = promisify(gzip);

/**
 * OTLP over HTTP/1.1 (specification 1.x, "OTLP/HTTP"). Ours, since OpenTelemetry's exporters forget a batch, and when it was
 * to be sent again, after their time is up. Redirects are failures: they could lead headers with secrets elsewhere.
 */
export function createHttpTransport(encoding: Encoding, settings: TransportSettings): Transport {
  const { url, tls, userAgent } = settings;
  const isTls = url.protocol === 'https:';
  const agent = isTls ? new https.Agent({ keepAlive: true, ...tls }) : new http.Agent({ keepAlive: true });
  const isCompressed = settings.compression === 'gzip';
  const headers = {
    ...settings.headers,
    'content-type': encoding === 'json' ? 'application/json' : 'application/x-protobuf',
    'user-agent': userAgent,
    ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
  };

  function post(body: Uint8Array, timeoutMs: number): Promise<Sent> {
    return new Promise((resolve) => {
      const signal = AbortSignal.timeout(timeoutMs);
      const failed = (error: Error) => {
        const why = signal.aborted ? `no answer within ${timeoutMs} ms` : error.message;
        resolve({ kind: 'later', why: short(why) });
      };
      const options = { method: 'POST', agent, signal, headers: { ...headers, 'content-length': body.length } };
      const request = (isTls ? https : http).request(url, options, (response) => {
        const parts: Buffer[] = [];
        let length = 0;
        response.on('data', (part: Buffer) => {
          length += part.length;
          if (length <= MAX_ANSWER) {
            parts.push(part);
          }
        });
        response.on('error', failed);
        response.on('end', () => resolve(answered(response, Buffer.concat(parts))));
      });
      request.on('error', failed);
      request.end(body);
    });
  }

  return {
    async send(body, timeoutMs) {
      try {
        return await post(isCompressed ? await compress(body) : body, timeoutMs);
      } catch (error) {
        // Node throws on headers and certificates that it cannot use.
        return { kind: 'refused', why: short(messageOf(error)) };
      }
    },
    close: () => agent.destroy(),
  };
}

function answered(response: http.IncomingMessage, body: Buffer): Sent {
  const { statusCode: status = 0, statusMessage = '', headers } = response;
  if (status >= 200 && status < 300) {
    return { kind: 'taken', answer: body };
  }
  const why = short(`HTTP ${status} ${statusMessage}`);
  if (status === 413) {
    return { kind: 'too-large', why };
  }
  if (!RETRYABLE.has(status)) {
    return { kind: 'refused', why };
  }
  const afterMs = retryAfterMs(headers['retry-after'], Date.now());
  return { kind: 'later', why, ...(afterMs === undefined ? {} : { retryAfterMs: afterMs }) };
}

function short(text: string): string {
  return safeLine(text, MAX_WHY);
}
