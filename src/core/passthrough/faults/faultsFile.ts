import * as z from 'zod/mini';
import type { JsonValue } from '../../../protocol/jsonrpc.ts';
import type { Fault, FaultPlan } from './plan.ts';

/** The version of the format that this build reads. See `docs/faults.md`. */
export const FAULTS_FORMAT = 1;

/** How the name of a file of faults ends. */
export const FAULTS_ENDING = '.faultline-faults.json';

const MAX_RULES = 200;
const MAX_MS = 600_000;

const text = z.string().check(z.maxLength(10_000));
const pattern = z.string().check(z.minLength(1), z.maxLength(200));
const patterns = z.union([pattern, z.array(pattern).check(z.minLength(1), z.maxLength(100))]);
const count = z.int().check(z.minimum(0), z.maximum(1_000_000));
const ms = z.number().check(z.minimum(0), z.maximum(MAX_MS));
const json = z.custom<JsonValue>((value) => value !== undefined);

const fault = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('latency'), ms, jitterMs: z.optional(ms) }),
  z.strictObject({
    type: z.literal('slowStream'),
    bytesPerSecond: z.number().check(z.minimum(1), z.maximum(1_000_000_000)),
  }),
  z.strictObject({ type: z.literal('dropAnswer') }),
  z.strictObject({ type: z.literal('cut'), atByte: z.int().check(z.minimum(0), z.maximum(2 ** 31)) }),
  z.strictObject({ type: z.literal('kill') }),
  z.strictObject({
    type: z.literal('error'),
    code: z.int(),
    message: z.optional(text),
    data: z.optional(json),
  }),
  z.strictObject({
    type: z.literal('httpStatus'),
    status: z.int().check(z.minimum(400), z.maximum(599)),
    retryAfterSeconds: z.optional(z.int().check(z.minimum(0), z.maximum(86_400))),
  }),
  z.strictObject({ type: z.literal('malformed'), how: z.enum(['truncated', 'garbled']) }),
  z.strictObject({ type: z.literal('duplicateAnswer') }),
  z.strictObject({ type: z.literal('wrongId') }),
  z.strictObject({ type: z.literal('noise'), text: z.optional(text) }),
  z.strictObject({ type: z.literal('toolError'), text: z.optional(text) }),
  z.strictObject({ type: z.literal('partial') }),
]);

const rule = z.strictObject({
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  server: z.optional(patterns),
  tool: z.optional(patterns),
  method: z.optional(patterns),
  transport: z.optional(z.enum(['stdio', 'http'])),
  after: z.optional(count),
  first: z.optional(count),
  every: z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000))),
  probability: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
  window: z.optional(
    z.strictObject({
      fromMs: z.optional(z.number().check(z.minimum(0))),
      toMs: z.optional(z.number().check(z.minimum(0))),
    }),
  ),
  fault,
});

/** The form of a file of faults. */
export const faultsSchema = z.strictObject({
  $schema: z.optional(text),
  faultlineFaults: z.literal(FAULTS_FORMAT),
  name: z.optional(z.string().check(z.maxLength(200))),
  seed: z.optional(z.int()),
  // A file without a rule would do nothing, and say nothing of it.
  rules: z.array(rule).check(z.minLength(1), z.maxLength(MAX_RULES)),
});

export type FaultsFile = z.infer<typeof faultsSchema>;

/** What the schema takes must be what the engine can do, and the other way round, or this does not compile. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
const isWhole: {
  readonly plan: FaultsFile extends FaultPlan ? true : never;
  readonly faults: Same<Fault['type'], FaultsFile['rules'][number]['fault']['type']>;
} = {
  plan: true,
  faults: true,
};
void isWhole;
