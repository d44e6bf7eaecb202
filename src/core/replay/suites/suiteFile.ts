import * as z from 'zod/mini';
import type { JsonValue } from '../../../protocol/jsonrpc.ts';
import { OUTCOME_KINDS, type OutcomeKind } from '../../../protocol/outcome.ts';
import { REVISIONS } from '../../../protocol/revisions.ts';

/** The version of the format of suites that this build reads and writes. See `docs/suites.md`. */
export const SUITE_FORMAT = 1;

/** How the name of a suite file ends. */
export const SUITE_ENDING = '.faultline-suite.json';

export type ExpectedOutcome = Exclude<OutcomeKind, 'pending' | 'cancelled'>;

/** What a case can expect: nobody cancels one, and a call that is still open has not come to anything. */
export const EXPECTED_OUTCOMES = OUTCOME_KINDS.filter(
  (kind): kind is ExpectedOutcome => kind !== 'pending' && kind !== 'cancelled',
);

export const JSON_TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'] as const;

const MAX_CASES = 10_000;
const MAX_LIST = 1000;
const MAX_TEXT = 100_000;

const json = z.custom<JsonValue>((value) => value !== undefined);
const text = z.string().check(z.maxLength(MAX_TEXT));
const name = z.string().check(z.minLength(1), z.maxLength(500));
/** RFC 6901; a step `*` stands for any where the member allows it. */
const pointer = z.string().check(z.regex(/^(?:\/.*)?$/s), z.maxLength(2000));
const timeoutMs = z.int().check(z.minimum(100), z.maximum(600_000));
const params = z.record(z.string(), json);

const at = { at: z.optional(pointer) };

/** One thing that is asked of an answer, at the place that `at` names, by default the whole. */
const matcher = z.union([
  z.strictObject({ ...at, exact: json }),
  z.strictObject({ ...at, equals: json }),
  z.strictObject({ ...at, subset: json }),
  z.strictObject({ ...at, contains: text }),
  z.strictObject({ ...at, pattern: z.string().check(z.minLength(1), z.maxLength(1000)) }),
  z.strictObject({ ...at, exists: z.literal(true) }),
  z.strictObject({ ...at, absent: z.literal(true) }),
  z.strictObject({ ...at, type: z.enum(JSON_TYPES) }),
]);

const expectation = z.strictObject({
  outcome: z.enum(EXPECTED_OUTCOMES),
  code: z.optional(z.int()),
  matches: z.optional(z.array(matcher).check(z.maxLength(MAX_LIST))),
  ignore: z.optional(z.array(pointer).check(z.maxLength(MAX_LIST))),
  maxMs: z.optional(z.int().check(z.minimum(1), z.maximum(600_000))),
});

const request = {
  method: name,
  params: z.optional(params),
  isSafe: z.optional(z.boolean()),
  timeoutMs: z.optional(timeoutMs),
};

const step = z.strictObject({ name: z.optional(name), ...request });

const suiteCase = z.strictObject({
  name,
  ...request,
  isFresh: z.optional(z.boolean()),
  maxAttempts: z.optional(z.int().check(z.minimum(1), z.maximum(10))),
  expect: expectation,
});

const versions = { versions: z.optional(z.array(z.enum(REVISIONS))) };
const strings = z.record(z.string(), z.string());

const server = z.union([
  name,
  z.strictObject({
    type: z.optional(z.literal('stdio')),
    command: name,
    args: z.optional(z.array(z.string())),
    env: z.optional(strings),
    envFile: z.optional(z.string()),
    cwd: z.optional(z.string()),
    ...versions,
  }),
  z.strictObject({
    type: z.optional(z.enum(['http', 'sse'])),
    url: name,
    headers: z.optional(strings),
    ...versions,
  }),
]);

/** The file as it is written. */
export const suiteSchema = z.strictObject({
  $schema: z.optional(z.string()),
  faultlineSuite: z.literal(SUITE_FORMAT),
  name: z.optional(name),
  server,
  trustAnnotations: z.optional(z.boolean()),
  allowWrites: z.optional(z.boolean()),
  timeoutMs: z.optional(timeoutMs),
  setup: z.optional(z.array(step).check(z.maxLength(MAX_LIST))),
  cases: z.array(suiteCase).check(z.minLength(1), z.maxLength(MAX_CASES)),
  teardown: z.optional(z.array(step).check(z.maxLength(MAX_LIST))),
});

export type SuiteFile = z.infer<typeof suiteSchema>;
export type SuiteServer = SuiteFile['server'];
export type SuiteCase = SuiteFile['cases'][number];
export type SuiteStep = NonNullable<SuiteFile['setup']>[number];
export type SuiteExpectation = SuiteCase['expect'];
export type Matcher = NonNullable<SuiteExpectation['matches']>[number];
export type JsonType = (typeof JSON_TYPES)[number];
