import { assertNever } from '../../base/assertNever.ts';
import type { Clock } from '../../base/clock.ts';
import { isObject, memberOf } from '../../protocol/json.ts';
import type { JsonObject, JsonRpcErrorObject, JsonRpcId, JsonValue } from '../../protocol/jsonrpc.ts';
import { paramsOf } from '../classify/messageShape.ts';
import type { AnswerBook } from './answerBook.ts';
import { idOf, progressTokenOf } from './members.ts';
import { answer, impliedAnswer, unknownCallError } from './ownAnswers.ts';
import type { MockStep, RecordedCall, RecordedServer } from './recordedServer.ts';
import { remap } from './remap.ts';

/** Where a mock puts what it does: one line of stdio for all, or one HTTP exchange. */
export interface MockChannel {
  message(raw: string): void;
  /** A step that is no message; what the transport cannot do is the channel's to translate or to leave out. */
  other(step: Extract<MockStep, { kind: 'noise' | 'stderr' | 'http' | 'end' }>, id: JsonRpcId | undefined): void;
  /** What is about to be played here, before its first step. */
  begin?(call: RecordedCall): void;
  /** Nothing more comes. */
  done(): void;
}

export interface MockOptions {
  readonly server: RecordedServer;
  /** Shared by all sessions of a mock. */
  readonly book: AnswerBook;
  readonly clock: Clock;
  /** What recorded waits are multiplied by; 0: none. */
  readonly delayFactor: number;
  /** Something was asked that nothing is recorded for. */
  readonly onUnknown?: (error: JsonRpcErrorObject) => void;
}

/** A recorded call that is being played. */
interface Play {
  readonly call: RecordedCall;
  readonly id: JsonRpcId | undefined;
  readonly token: JsonRpcId | undefined;
  readonly channel: MockChannel;
  /** Aborts the wait that is under way; another takes its place. */
  waiting: AbortController;
  isCancelled: boolean;
  /** Recorded ids of requests of the server that the client has answered. */
  readonly answered: Set<string>;
  /** Wakes whoever waits for the client. */
  wake: (() => void) | undefined;
}

/** One client's conversation with a mock. Nothing here throws. */
export class MockSession {
  private readonly options: MockOptions;
  private readonly plays = new Set<Play>();
  /** Ids now of recorded requests of this conversation, for what names them later. */
  private readonly live = new Map<string, JsonRpcId>();
  private readonly asked = new Map<string, { readonly play: Play; readonly recorded: JsonRpcId }>();
  private nextAsk = 1;
  private isClosed = false;

  constructor(options: MockOptions) {
    this.options = options;
  }

  /** Takes a message of the client; whatever is said about it goes to `channel`. */
  receive(message: JsonValue, channel: MockChannel): void {
    if (!isObject(message)) {
      channel.done();
      return;
    }
    const method = memberOf(message, 'method');
    const id = idOf(message);
    if (typeof method !== 'string') {
      this.takeAnswer(id);
      channel.done();
      return;
    }
    const params = paramsOf(message);
    if (method === 'notifications/cancelled') {
      this.cancel(idOf({ id: memberOf(params, 'requestId') ?? null }));
      channel.done();
      return;
    }
    this.takeCall(method, params, id, channel);
  }

  /** Plays what the server did before anybody said anything. */
  open(channel: MockChannel): void {
    const call: RecordedCall = {
      seq: 0,
      method: '',
      params: undefined,
      id: undefined,
      progressToken: undefined,
      steps: this.options.server.opening,
    };
    void this.play(call, undefined, undefined, channel);
  }

  /** The client wants no answer to this request any more. */
  cancel(id: JsonRpcId | undefined): void {
    for (const play of this.plays) {
      if (id !== undefined && play.id === id) {
        play.isCancelled = true;
        play.waiting.abort();
        play.wake?.();
      }
    }
  }

  /** Plays nothing more. */
  close(): void {
    this.isClosed = true;
    for (const play of this.plays) {
      play.waiting.abort();
      play.wake?.();
    }
  }

  private takeCall(
    method: string,
    params: JsonObject | undefined,
    id: JsonRpcId | undefined,
    channel: MockChannel,
  ): void {
    const { book, server, onUnknown } = this.options;
    const found = book.take(method, params);
    if ('steps' in found) {
      void this.play(found, id, progressTokenOf(params), channel);
      return;
    }
    if (id !== undefined) {
      const implied = found.isMethodKnown ? undefined : impliedAnswer(server, method, params);
      if (implied === undefined) {
        const error = unknownCallError(method, params, found);
        onUnknown?.(error);
        channel.message(answer(id, { error }));
      } else {
        channel.message(answer(id, implied));
      }
    }
    channel.done();
  }

  private takeAnswer(id: JsonRpcId | undefined): void {
    const asked = id === undefined ? undefined : this.asked.get(String(id));
    if (asked !== undefined) {
      asked.play.answered.add(String(asked.recorded));
      asked.play.wake?.();
    }
  }

  private async play(
    call: RecordedCall,
    id: JsonRpcId | undefined,
    token: JsonRpcId | undefined,
    channel: MockChannel,
  ): Promise<void> {
    const { clock, delayFactor } = this.options;
    const play: Play = {
      call,
      id,
      token,
      channel,
      waiting: new AbortController(),
      isCancelled: false,
      answered: new Set(),
      wake: undefined,
    };
    if (call.id !== undefined && id !== undefined) {
      this.live.set(String(call.id), id);
    }
    this.plays.add(play);
    channel.begin?.(call);
    let baseUs = clock.monoUs();
    let isAfterCancel = false;
    for (const step of call.steps) {
      const dueUs = baseUs + step.afterMs * 1000 * delayFactor;
      if (step.kind === 'answered' || step.kind === 'cancelled') {
        await this.untilClient(play, step);
        isAfterCancel ||= step.kind === 'cancelled';
        // What follows is as far from this as it was.
        baseUs += clock.monoUs() - dueUs;
      } else if (!play.isCancelled || isAfterCancel) {
        const waitMs = (dueUs - clock.monoUs()) / 1000;
        if (waitMs > 0) {
          play.waiting = new AbortController();
          await clock.sleep(waitMs, play.waiting.signal);
        }
        if (!this.isClosed && (!play.isCancelled || isAfterCancel)) {
          this.emit(play, step);
        }
      }
      if (this.isClosed) {
        break;
      }
    }
    this.plays.delete(play);
    // A request that was never answered is not answered now either; its channel stays open for the client to give it up.
    if (id === undefined || this.isClosed || play.isCancelled || hasAnswer(call)) {
      channel.done();
    }
  }

  /** Waits until the client has done what it did at this place in the recording, or ends. */
  private async untilClient(play: Play, step: Extract<MockStep, { kind: 'answered' | 'cancelled' }>): Promise<void> {
    const hasHappened = () =>
      this.isClosed || play.isCancelled || (step.kind === 'answered' && play.answered.has(String(step.id)));
    while (!hasHappened()) {
      await new Promise<void>((resolve) => {
        play.wake = resolve;
      });
      play.wake = undefined;
    }
  }

  private emit(play: Play, step: Extract<MockStep, { kind: 'message' | 'noise' | 'stderr' | 'http' | 'end' }>): void {
    switch (step.kind) {
      case 'message': {
        const raw = remap(step.raw, {
          request: (recorded) => this.liveId(play, recorded),
          token: (recorded) => this.liveToken(play, recorded),
          ask: (recorded) => this.liveAsk(play, recorded),
        });
        if (raw !== undefined) {
          play.channel.message(raw);
        }
        return;
      }
      case 'noise':
      case 'stderr':
      case 'http':
      case 'end':
        play.channel.other(step, play.id);
        return;
      default:
        assertNever(step);
    }
  }

  /** An id of the wrong type in the recording is of the wrong type now. */
  private liveId({ call, id }: Play, recorded: JsonRpcId): JsonRpcId | undefined {
    const isOwn = String(recorded) === String(call.id);
    const live = isOwn ? id : this.live.get(String(recorded));
    const isSwapped = isOwn && call.id !== undefined && typeof recorded !== typeof call.id;
    if (live === undefined || !isSwapped) {
      return live;
    }
    const number = Number(live);
    return typeof live === 'number' ? String(live) : Number.isFinite(number) && live !== '' ? number : live;
  }

  private liveToken({ call, token }: Play, recorded: JsonRpcId): JsonRpcId | null | undefined {
    return String(recorded) === String(call.progressToken) ? (token ?? null) : undefined;
  }

  /** An id that this conversation has not seen in this direction. */
  private liveAsk(play: Play, recorded: JsonRpcId): JsonRpcId {
    let live = recorded;
    while (this.asked.has(String(live))) {
      live = typeof recorded === 'string' ? `${recorded}-${this.nextAsk}` : 1_000_000 + this.nextAsk;
      this.nextAsk += 1;
    }
    this.asked.set(String(live), { play, recorded });
    return live;
  }
}

/** Did anything end the recorded exchange? */
function hasAnswer({ steps }: RecordedCall): boolean {
  return steps.some((step) => {
    switch (step.kind) {
      case 'http':
      case 'end':
        return true;
      case 'noise':
        return step.stream === 'http';
      case 'message':
        return !isCall(step.raw);
      default:
        return false;
    }
  });
}

/** A request or notification of the server ends nothing. */
function isCall(raw: string): boolean {
  try {
    return memberOf(JSON.parse(raw) as JsonValue, 'method') !== undefined;
  } catch {
    return false;
  }
}
