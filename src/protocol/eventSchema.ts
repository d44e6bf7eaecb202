import * as z from 'zod/mini';
import type { EventBody } from './events.ts';
import { FAULT_KINDS } from './faults.ts';

// The form of events that come from outside: a session file that somebody sends. What the schemas do not name is let
// through, so that a field added later does not make an older version refuse the event.

const natural = z.int().check(z.nonnegative());
const text = z.string();
const optionalText = z.exactOptional(text);
const id = z.union([text, z.number()]);
const texts = z.readonly(z.array(text));
const rawBytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const headers = z.readonly(z.record(text, text));

const envelope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('request'), id, method: text, progressToken: z.exactOptional(id) }),
  z.object({ kind: z.literal('notification'), method: text }),
  z.object({ kind: z.literal('result'), id }),
  z.object({ kind: z.literal('error'), id: z.nullable(id), code: z.number() }),
  z.object({ kind: z.literal('batch'), size: natural }),
  z.object({
    kind: z.literal('invalid'),
    id: z.exactOptional(z.nullable(id)),
    problem: z.enum([
      'not-json',
      'not-an-object',
      'empty-batch',
      'missing-jsonrpc',
      'bad-id',
      'result-and-error',
      'neither-result-nor-error',
      'bad-error-object',
      'bad-method',
    ]),
  }),
]);

const failure = z.object({
  reason: z.enum([
    'spawn-failed',
    'exited',
    'refused',
    'unresolved',
    'reset',
    'tls',
    'stream-ended',
    'http-status',
    'not-json-rpc',
    'unauthorized',
    'accepted-without-answer',
    'session-lost',
    'unavailable',
    'closed',
    'unknown',
  ]),
  code: optionalText,
  message: text,
  exitCode: z.exactOptional(z.nullable(z.number())),
  exitSignal: z.exactOptional(z.nullable(text)),
  status: z.exactOptional(z.number()),
  retryAfterMs: z.exactOptional(z.number()),
  stderrTail: z.exactOptional(texts),
});

const step = z.discriminatedUnion('step', [
  z.object({ step: z.literal('spawn'), command: text, args: texts, cwd: optionalText }),
  z.object({ step: z.literal('started'), pid: z.number() }),
  z.object({ step: z.literal('connecting'), url: text }),
  z.object({
    step: z.literal('initialized'),
    revision: text,
    serverName: optionalText,
    serverVersion: optionalText,
    capabilities: texts,
    durationUs: z.number(),
  }),
  z.object({ step: z.literal('failed'), failure, durationUs: z.number() }),
  z.object({
    step: z.literal('exited'),
    code: z.nullable(z.number()),
    signal: z.nullable(text),
    expected: z.boolean(),
  }),
  z.object({ step: z.literal('backoff'), delayMs: z.number(), attempt: z.number() }),
  z.object({ step: z.literal('crash-loop'), crashes: z.number(), withinMs: z.number(), failure }),
  z.object({
    step: z.literal('breaker'),
    state: z.enum(['open', 'half-open', 'closed']),
    retryInMs: z.exactOptional(z.number()),
    failures: z.exactOptional(z.number()),
  }),
  z.object({
    step: z.literal('shutdown'),
    action: z.enum(['stdin-closed', 'sigterm', 'sigkill', 'session-deleted', 'closed']),
  }),
]);

const localEnd = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('timeout'),
    limit: z.enum(['idle', 'total']),
    afterMs: z.number(),
    progressSeen: z.boolean(),
  }),
  z.object({ kind: z.literal('cancelled'), by: z.enum(['user', 'client', 'shutdown']) }),
  z.object({ kind: z.literal('transport'), failure }),
]);

const note = z.discriminatedUnion('type', [
  z.object({ type: z.literal('gap'), events: natural, bytes: natural, reason: text }),
  z.object({
    type: z.literal('evicted'),
    reason: z.enum(['size', 'age']),
    events: natural,
    bytes: natural,
    untilUs: z.number(),
  }),
  z.object({ type: z.literal('mark'), text }),
  z.object({
    type: z.literal('injected'),
    fault: z.enum(FAULT_KINDS),
    rule: text,
    requestId: id,
    detail: optionalText,
    original: z.exactOptional(z.object({ raw: text, bytes: natural })),
  }),
]);

/** A body of each kind, as it is in memory. */
const bodies = {
  message: z.object({
    kind: z.literal('message'),
    direction: z.enum(['sent', 'received']),
    raw: text,
    rawBytes: z.exactOptional(rawBytes),
    bytes: natural,
    envelope,
    http: optionalText,
    redactions: z.exactOptional(natural),
  }),
  noise: z.object({
    kind: z.literal('noise'),
    stream: z.enum(['stdout', 'sse', 'http']),
    raw: text,
    rawBytes: z.exactOptional(rawBytes),
    bytes: natural,
    problem: z.enum(['not-json', 'not-jsonrpc', 'frame-too-large', 'lsp-framing', 'unterminated']),
  }),
  stderr: z.object({
    kind: z.literal('stderr'),
    line: text,
    level: z.enum(['debug', 'info', 'warning', 'error', 'unknown']),
  }),
  http: z.object({
    kind: z.literal('http'),
    id: text,
    method: text,
    url: text,
    status: z.exactOptional(z.number()),
    requestHeaders: headers,
    responseHeaders: headers,
    durationUs: z.number(),
    body: optionalText,
    failure: z.exactOptional(failure),
    requestId: z.exactOptional(id),
  }),
  lifecycle: z.object({ kind: z.literal('lifecycle'), detail: step }),
  attempt: z.object({
    kind: z.literal('attempt'),
    chain: text,
    number: natural,
    maxAttempts: natural,
    decision: z.enum(['send', 'wait', 'give-up', 'refuse', 'cancel']),
    token: optionalText,
    delayMs: z.exactOptional(z.number()),
    reason: text,
    replayOf: z.exactOptional(z.number()),
    isEdited: z.exactOptional(z.literal(true)),
  }),
  'local-end': z.object({ kind: z.literal('local-end'), id, end: localEnd }),
  note: z.object({ kind: z.literal('note'), note }),
} satisfies { [K in EventBody['kind']]: z.ZodMiniType };

const context = z.object({
  seq: z.int().check(z.positive()),
  session: text,
  server: text,
  connection: text,
  wallUs: z.number(),
  monoUs: z.number(),
  origin: z.union([z.enum(['client', 'replay', 'lint']), text.check(z.startsWith('tap:'))]),
});

/** Every event that the code can make must be one that the schemas take, or this does not compile. */
type Accepts<T, Schema extends z.ZodMiniType> = T extends z.input<Schema> ? true : never;
const acceptsEvery: {
  readonly [K in EventBody['kind']]: Accepts<Extract<EventBody, { kind: K }>, (typeof bodies)[K]>;
} = {
  message: true,
  noise: true,
  stderr: true,
  http: true,
  lifecycle: true,
  attempt: true,
  'local-end': true,
  note: true,
};

/** Is this a kind of event that this version knows? */
export function isKnownKind(kind: unknown): kind is EventBody['kind'] {
  return typeof kind === 'string' && Object.hasOwn(acceptsEvery, kind);
}

/** What is wrong with a body of a known kind; `undefined` when nothing is. */
export function bodyProblem(kind: EventBody['kind'], body: unknown): FormProblem | undefined {
  return problemIn(bodies[kind], body);
}

/** What is wrong with the context of a recorded event, its `seq` included; `undefined` when nothing is. */
export function contextProblem(event: unknown): FormProblem | undefined {
  return problemIn(context, event);
}

export interface FormProblem {
  /** In a few words, with the place. */
  readonly text: string;
  /** The form is one that this version does not know: a step, a note, an envelope of a later one. */
  readonly isUnknownForm: boolean;
}

function problemIn(schema: z.ZodMiniType, value: unknown): FormProblem | undefined {
  const result = schema.safeParse(value);
  if (result.success) {
    return undefined;
  }
  const [issue] = result.error.issues;
  return {
    text: `${issue?.path.join('.') ?? ''}: ${issue?.code ?? 'invalid'}`,
    isUnknownForm: issue?.code === 'invalid_union' && 'discriminator' in issue,
  };
}
