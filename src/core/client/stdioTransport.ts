import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { DisposableStore } from '../../base/disposable.ts';
import type { TransportFailure } from '../../protocol/events.ts';
import type { Envelope, JsonValue } from '../../protocol/jsonrpc.ts';
import { readEnvelope } from '../transport/envelope.ts';
import type { Frame, StdioWire } from '../transport/wire.ts';

/** Carries the wire's own account of a failed start or send through the SDK, which knows exceptions only. */
export class WireError extends Error {
  readonly failure: TransportFailure;

  constructor(failure: TransportFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/**
 * The SDK's transport over our stdio wire. Batches, which the SDK does not take, are handed on item by item, and what is
 * no JSON-RPC message is kept from it: both are in the log already. `pid` and `stderr` are how the SDK tells stdio.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly stderr = null;
  private readonly wire: StdioWire;
  private readonly store = new DisposableStore();
  private closing: Promise<void> | undefined;

  constructor(wire: StdioWire) {
    this.wire = wire;
    this.store.add(wire.onDidReceive((frame) => this.receive(frame)));
    this.store.add(
      wire.onDidClose(() => {
        this.store.dispose();
        this.onclose?.();
      }),
    );
  }

  get pid(): number | null {
    return this.wire.pid ?? null;
  }

  async start(): Promise<void> {
    rejectOn(await this.wire.start());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    rejectOn(await this.wire.send(JSON.stringify(message)));
  }

  /** The SDK closes more than once, but a second call would hurry the wire's own shutdown. */
  close(): Promise<void> {
    this.closing ??= this.wire.close();
    return this.closing;
  }

  private receive(frame: Frame): void {
    for (const message of forSdk(frame)) {
      this.onmessage?.(message);
    }
  }
}

/** The messages of a frame that the SDK can take: those of a batch one by one, none that names no request it answers. */
export function forSdk({ envelope, message }: Frame): readonly JSONRPCMessage[] {
  if (envelope.kind === 'batch' && Array.isArray(message)) {
    return (message as readonly JsonValue[]).filter((item) => isForSdk(readEnvelope(item))).map(asMessage);
  }
  return message !== undefined && isForSdk(envelope) ? [asMessage(message)] : [];
}

function isForSdk(envelope: Envelope): boolean {
  return (
    envelope.kind !== 'invalid' && envelope.kind !== 'batch' && !(envelope.kind === 'error' && envelope.id === null)
  );
}

/** The envelope has just been read; what lies deeper is the SDK's to check, by its own schemas. */
function asMessage(message: JsonValue): JSONRPCMessage {
  return message as unknown as JSONRPCMessage;
}

function rejectOn(failure: TransportFailure | undefined): void {
  if (failure !== undefined) {
    throw new WireError(failure);
  }
}
