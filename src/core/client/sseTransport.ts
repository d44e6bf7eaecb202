import type { JSONRPCMessage, OAuthClientProvider, Transport } from '@modelcontextprotocol/client';
import { DisposableStore } from '../../base/disposable.ts';
import type { HttpDefinition } from '../../protocol/definition.ts';
import type { TransportFailure } from '../../protocol/events.ts';
import type { HttpWire } from '../transport/wire.ts';
import { createSseAuthorization, type SseAuthorization } from './sseAuthorization.ts';
import { forSdk, WireError } from './stdioTransport.ts';

/**
 * The SDK's transport over HTTP+SSE (2024-11-05): one GET stream that says where to POST and carries every answer. Ours,
 * because the SDK's opens a lost stream again by itself, in a session that was never initialized. The wire reads the
 * stream; here it is only kept flowing.
 */
export class SseTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private readonly wire: HttpWire;
  private readonly definition: HttpDefinition;
  private readonly authorization: SseAuthorization;
  private readonly store = new DisposableStore();
  private readonly closed = new AbortController();
  private endpoint: URL | undefined;
  private version: string | undefined;

  constructor(wire: HttpWire, definition: HttpDefinition, provider: OAuthClientProvider | undefined) {
    this.wire = wire;
    this.definition = definition;
    this.authorization = createSseAuthorization(wire, new URL(definition.url), provider);
    this.store.add(
      wire.onDidReceive((frame) => {
        for (const message of forSdk(frame)) {
          this.onmessage?.(message);
        }
      }),
    );
    this.store.add(
      wire.onDidClose(() => {
        this.store.dispose();
        this.onclose?.();
      }),
    );
  }

  setProtocolVersion(version: string): void {
    this.version = version;
  }

  /** Redeems what the browser brought back. Throws when it cannot be. */
  finishAuth(parameters: URLSearchParams): Promise<void> {
    return this.authorization.finishAuth(parameters);
  }

  async start(): Promise<void> {
    const url = new URL(this.definition.url);
    const offered = new Promise<string>((resolve) => {
      this.store.add(this.wire.onDidOpenEndpoint(resolve));
    });
    const response = await this.authorization.fetch(url, {
      headers: this.headers({ accept: 'text/event-stream' }),
      signal: this.closed.signal,
    });
    const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
    if (!response.ok || !isStream) {
      await response.text();
      const message = `The GET for an event stream was answered with HTTP ${response.status}.`;
      throw new WireError({ reason: 'http-status', status: response.status, message });
    }
    const uri = await Promise.race([offered, this.drain(response)]);
    const endpoint = uri !== undefined && URL.canParse(uri, url.href) ? new URL(uri, url) : undefined;
    if (endpoint?.origin !== url.origin) {
      // Messages, and with them whatever the headers hold, go nowhere else.
      throw new WireError(failure(`The stream named no address of its own server to POST to: ${uri ?? ''}`));
    }
    this.endpoint = endpoint;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.endpoint === undefined) {
      throw new WireError({ reason: 'closed', message: 'The event stream is not open.' });
    }
    const response = await this.authorization.fetch(this.endpoint, {
      method: 'POST',
      headers: this.headers({ 'content-type': 'application/json' }),
      body: JSON.stringify(message),
      signal: this.closed.signal,
    });
    // Read to its end, since only then the wire knows what became of the request.
    await response.text();
  }

  async close(): Promise<void> {
    this.closed.abort();
    this.store.dispose();
    this.onclose?.();
  }

  private headers(own: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const version = this.version === undefined ? {} : { 'mcp-protocol-version': this.version };
    return { ...this.definition.headers, ...version, ...own };
  }

  private async drain(response: Response): Promise<undefined> {
    try {
      const reader = response.body?.getReader();
      while (reader !== undefined && !(await reader.read()).done) {
        // The wire has seen it.
      }
    } catch {
      // The wire tells of its end.
    }
  }
}

function failure(message: string): TransportFailure {
  return { reason: 'stream-ended', message };
}
