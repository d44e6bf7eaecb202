import { pointerStep } from '../../../base/jsonPointer.ts';
import type { TextArgs } from '../../../base/text.ts';
import type { AnomalyCode } from '../../../protocol/anomaly.ts';
import { isArray, isObject } from '../../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../../protocol/jsonrpc.ts';
import type { ConnectionState } from '../connectionState.ts';
import { get } from '../json.ts';
import type { ServerMemory } from '../memory/serverMemory.ts';
import { paramsOf } from '../messageShape.ts';
import type { Passing, Placed } from '../projectMessage.ts';

/** An anomaly as a detector sees it: severity and group are the table's, `seq` is that of the message. */
export interface Found {
  readonly code: AnomalyCode;
  readonly args?: TextArgs;
  readonly pointer?: string;
}

/** Looks for anomalies of one kind. Linear in the message, never throws; what it has to remember is in the scene. */
export type AnomalyDetector = (scene: Scene) => readonly Found[];

/** Nothing found. */
export const NONE: readonly Found[] = [];

/** A text in a message, with its place. */
export interface PlacedText {
  readonly text: string;
  readonly pointer: string;
}

const MAX_TEXTS = 200;
const MAX_DEPTH = 8;

/** One message, where it went, and what was known before: all that a detector may look at. */
export class Scene {
  readonly connection: ConnectionState;
  readonly passing: Passing;
  readonly placed: Placed;
  readonly memory: ServerMemory;
  private walked: readonly PlacedText[] | undefined;

  constructor(connection: ConnectionState, passing: Passing, placed: Placed, memory: ServerMemory) {
    this.connection = connection;
    this.passing = passing;
    this.placed = placed;
    this.memory = memory;
  }

  get sender(): 'client' | 'server' {
    return this.passing.body.direction === 'sent' ? 'client' : 'server';
  }

  /** Of the request that the message is or answers, else of the connection. */
  get revision(): string | undefined {
    return this.placed.state.revision ?? this.connection.revision;
  }

  /** Method of a request or notification. */
  get method(): string | undefined {
    const { envelope } = this.passing;
    return envelope.kind === 'request' || envelope.kind === 'notification' ? envelope.method : undefined;
  }

  get params(): JsonObject | undefined {
    return paramsOf(this.passing.message);
  }

  /** The result of a message that answers with one. */
  get result(): JsonObject | undefined {
    const { envelope, message } = this.passing;
    const result = envelope.kind === 'result' && isObject(message) ? get(message, 'result') : undefined;
    return isObject(result) ? result : undefined;
  }

  /** The error of a message that answers with one. */
  get error(): JsonObject | undefined {
    const { envelope, message } = this.passing;
    const error = envelope.kind === 'error' && isObject(message) ? get(message, 'error') : undefined;
    return isObject(error) ? error : undefined;
  }

  /** True of the message that settled the request, or came late to it. */
  get isAnswer(): boolean {
    return this.placed.as === 'settled' || this.placed.as === 'after';
  }

  /** Every text in the result, the error or the params, at most 200 of them, walked once for all detectors. */
  texts(): readonly PlacedText[] {
    this.walked ??= this.walk();
    return this.walked;
  }

  private walk(): readonly PlacedText[] {
    const found: PlacedText[] = [];
    const root = this.result ?? this.error;
    const key = this.result !== undefined ? 'result' : 'error';
    if (root !== undefined) {
      collect(root, `/${key}`, 0, found);
    } else if (this.params !== undefined) {
      collect(this.params, '/params', 0, found);
    }
    return found;
  }
}

function collect(value: JsonValue, pointer: string, depth: number, found: PlacedText[]): void {
  if (found.length >= MAX_TEXTS || depth > MAX_DEPTH) {
    return;
  }
  if (typeof value === 'string') {
    if (value.length > 0) {
      found.push({ text: value, pointer });
    }
  } else if (isArray(value)) {
    for (let index = 0; index < value.length && found.length < MAX_TEXTS; index++) {
      collect(value[index] ?? null, `${pointer}/${index}`, depth + 1, found);
    }
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      if (found.length >= MAX_TEXTS) {
        return;
      }
      collect(value[key] ?? null, pointer + pointerStep(key), depth + 1, found);
    }
  }
}
