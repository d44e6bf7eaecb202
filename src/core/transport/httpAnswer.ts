import type { TransportFailure } from '../../protocol/events.ts';
import type { Envelope, JsonRpcId, JsonValue } from '../../protocol/jsonrpc.ts';
import { envelopesOf, isMeantAsJsonRpc, type ParsedFrame } from './envelope.ts';
import { isSessionLost, type UnfitAnswer, unfitAnswer } from './httpFailure.ts';

/** The requests that a frame answers by naming them, well or badly formed. */
export function namedBy(frame: ParsedFrame): readonly JsonRpcId[] {
  return envelopesOf(frame).flatMap((envelope) => {
    const isAnswer = envelope.kind === 'result' || envelope.kind === 'error' || envelope.kind === 'invalid';
    return isAnswer && envelope.id !== undefined && envelope.id !== null ? [envelope.id] : [];
  });
}

/**
 * The request that a frame answers without naming it, which over HTTP is known from where it came: the only one that
 * its POST carried. From status 400 on this holds for an error with a foreign id too, since some servers invent one.
 */
export function answersUnnamed(
  frame: ParsedFrame,
  status: number,
  carried: readonly JsonRpcId[],
): JsonRpcId | undefined {
  const { envelope, message } = frame;
  const isForeign = status >= 400 && envelope.kind === 'error';
  const isUnnamed = isNameless(envelope) && (has(message, 'result') || has(message, 'error'));
  return carried.length === 1 && (isUnnamed || isForeign) ? carried[0] : undefined;
}

function isNameless(envelope: Envelope): boolean {
  return (
    (envelope.kind === 'error' || envelope.kind === 'invalid') && (envelope.id === undefined || envelope.id === null)
  );
}

function has(message: JsonValue | undefined, key: string): boolean {
  return typeof message === 'object' && message !== null && Object.hasOwn(message, key);
}

/** What the body of an answer, read to its end, means for the requests of its POST. */
export interface AnswerVerdict {
  readonly isMessage: boolean;
  readonly answered: readonly JsonRpcId[];
  /** See `Frame.answers`. */
  readonly answers?: JsonRpcId;
  readonly isSessionLost: boolean;
  /** For the carried requests that were not answered. */
  readonly failure: TransportFailure;
}

/** Judges an answer that is no SSE stream. `carried` are the requests of its POST that still wait. */
export function judgeAnswer(
  frame: ParsedFrame,
  answer: Omit<UnfitAnswer, 'errorCode'>,
  carried: readonly JsonRpcId[],
): AnswerVerdict {
  const { envelope } = frame;
  const facts = envelope.kind === 'error' ? { ...answer, errorCode: envelope.code } : answer;
  const failure = unfitAnswer(facts);
  const isLost = isSessionLost(facts);
  if (!isMeantAsJsonRpc(frame.message)) {
    return { isMessage: false, answered: [], isSessionLost: isLost, failure };
  }
  const named = namedBy(frame);
  const isNamed = carried.some((id) => named.some((other) => String(other) === String(id)));
  const isRefused = failure.reason === 'unauthorized';
  const answers = isNamed || isRefused ? undefined : answersUnnamed(frame, answer.status, carried);
  return {
    isMessage: true,
    answered: answers === undefined ? named : [...named, answers],
    ...(answers === undefined ? {} : { answers }),
    isSessionLost: isLost,
    failure,
  };
}
