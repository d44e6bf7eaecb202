import { afterEach } from 'vitest';
import { systemClock } from '../../../src/base/systemClock.ts';
import { createHttpWire } from '../../../src/core/transport/httpWire.ts';
import type { HttpWire } from '../../../src/core/transport/wire.ts';
import { MemorySink, testContext, WireProbe } from '../../unit/core/transport/wireProbe.ts';

export interface TestServer {
  readonly url: string;
  close(): Promise<unknown>;
}

/** Run after each test, all at once. */
export const cleanUps: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(cleanUps.splice(0).map((cleanUp) => cleanUp()));
});

export function openWire(options: { readonly onListenerError?: (error: unknown) => void } = {}) {
  const sink = new MemorySink();
  const wire = createHttpWire({ context: testContext, sink, clock: systemClock, ...options });
  cleanUps.push(() => wire.close());
  return { wire, sink, probe: new WireProbe(wire) };
}

/** Starts a server for one test. */
export async function serve<T extends TestServer>(starting: Promise<T>): Promise<T> {
  const server = await starting;
  cleanUps.push(() => server.close());
  return server;
}

/** A call of the tool that every server here has, and its right answer. */
export const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'work' } };

/** One call as the SDK's transport would post it, read to its end. */
export async function post(wire: HttpWire, url: string, options: { session?: string; signal?: AbortSignal } = {}) {
  const response = await wire.fetch(new URL(url), {
    method: 'POST',
    headers: new Headers({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(options.session === undefined ? {} : { 'mcp-session-id': options.session }),
    }),
    body: JSON.stringify(call),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    redirect: 'manual',
  });
  return { response, text: await response.text() };
}

export const doneAnswer = { jsonrpc: '2.0', id: 7, result: { content: [{ type: 'text', text: 'done' }] } };
