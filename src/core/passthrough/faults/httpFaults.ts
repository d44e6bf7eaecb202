import type { Clock } from '../../../base/clock.ts';
import { parseFrame } from '../../transport/envelope.ts';
import { type BrokenAnswer, createFaultyAnswers, type FaultyAnswers, type InjectedNote } from './answers.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';
import type { FaultEngine } from './engine.ts';
import { createEventCutter, dataOf, eventOf } from './serverSentEvents.ts';

/** An answer that the server never gives. */
export interface OwnAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly delayMs: number;
}

/** Where what is left of an answer's body goes. */
export interface BodyOutlet {
  write(bytes: Uint8Array): void;
  end(): void;
  /** Breaks the connection. */
  cut(): void;
}

/** An answer's body on its way. */
export interface BodyFilter {
  push(bytes: Uint8Array): void;
  /** The server has sent all of it. */
  end(): void;
  /** Lets go of what is held back. */
  stop(): void;
}

/** What becomes of a request that is to meet faults. */
export type Meeting =
  /** It is answered without the server, which does not get it. */
  | { readonly kind: 'own'; readonly answer: OwnAnswer }
  /** The connection is to be broken in the place of an answer. */
  | { readonly kind: 'broken' }
  | {
      readonly kind: 'passed';
      /** Its content type as the client is to have it, by the one that the server gives. */
      contentType(given: string): string;
      filter(given: string, outlet: BodyOutlet): BodyFilter;
    };

/** Faults of one exchange over HTTP; `undefined` when its request, given as its body, is to be left alone. */
export function meetFaults(
  engine: FaultEngine,
  clock: Clock,
  body: string,
  note: (note: InjectedNote) => void,
): Meeting | undefined {
  const answers = createFaultyAnswers(engine, note);
  const met = answers.asked(parseFrame(body));
  if (met === undefined) {
    return undefined;
  }
  for (const injection of met.injections) {
    const { fault } = injection;
    if (fault.type === 'kill') {
      answers.inject(met, injection);
      return { kind: 'broken' };
    }
    if (fault.type === 'httpStatus') {
      const { status, retryAfterSeconds } = fault;
      const retryAfter = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
      const detail = [status, ...(retryAfterSeconds === undefined ? [] : [`Retry-After ${retryAfterSeconds} s`])];
      answers.inject(met, injection, detail.join(', '));
      const headers = { 'Content-Type': 'text/plain; charset=utf-8', ...retryAfter };
      const delayMs = met.injections.reduce((sum, each) => sum + each.delayMs, 0);
      return { kind: 'own', answer: { status, headers, body: 'Injected by Faultline.\n', delayMs } };
    }
  }
  // Two messages need a stream.
  const isStreamed = met.injections.some(({ fault }) => fault.type === 'duplicateAnswer' || fault.type === 'noise');
  return {
    kind: 'passed',
    contentType: (given) => (isStreamed && !isEventStream(given) ? 'text/event-stream' : given),
    filter(given, outlet) {
      const deliveries = createDeliveries(clock, outlet);
      return isEventStream(given)
        ? streamFilter(answers, deliveries, outlet)
        : wholeFilter(answers, deliveries, outlet, isStreamed);
    },
  };
}

function wholeFilter(
  answers: FaultyAnswers,
  deliveries: Deliveries,
  outlet: BodyOutlet,
  isStreamed: boolean,
): BodyFilter {
  const chunks: Uint8Array[] = [];
  return {
    push: (bytes) => chunks.push(bytes),
    end() {
      const bytes = Buffer.concat(chunks);
      const raw = bytes.toString('utf8');
      const broken = answers.answered(raw, parseFrame(raw));
      const texts = broken?.texts ?? [raw];
      if (texts.length === 0) {
        // Dropped: whoever waits is to find out by itself.
        return;
      }
      const changed = isStreamed ? texts.map((text) => eventOf(text)).join('') : texts.join('');
      deliveries.deliver(broken === undefined && !isStreamed ? bytes : Buffer.from(changed), broken?.pace);
      endAfter(deliveries, outlet);
    },
    stop: () => deliveries.stop(),
  };
}

function streamFilter(answers: FaultyAnswers, deliveries: Deliveries, outlet: BodyOutlet): BodyFilter {
  let isDropped = false;
  const events = createEventCutter((event) => {
    const data = answers.isWaiting ? dataOf(event) : undefined;
    const broken: BrokenAnswer | undefined = data === undefined ? undefined : answers.answered(data, parseFrame(data));
    if (broken === undefined) {
      deliveries.deliver(event);
      return;
    }
    isDropped ||= broken.texts.length === 0;
    if (broken.texts.length > 0) {
      deliveries.deliver(Buffer.from(broken.texts.map((text) => eventOf(text, event)).join('')), broken.pace);
    }
  });
  return {
    push: (bytes) => events.push(bytes),
    end() {
      events.end();
      if (!isDropped) {
        endAfter(deliveries, outlet);
      }
    },
    stop: () => deliveries.stop(),
  };
}

/** A connection that was cut has no end of its own. */
function endAfter(deliveries: Deliveries, outlet: BodyOutlet): void {
  deliveries.whenIdle(() => {
    if (!deliveries.isStopped) {
      outlet.end();
    }
  });
}

function isEventStream(contentType: string): boolean {
  return /^\s*text\/event-stream\s*(?:;|$)/i.test(contentType);
}
