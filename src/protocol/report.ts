import * as z from 'zod/mini';
import { OUTCOME_KINDS } from './outcome.ts';
import { AGENT_ACTS, PROBLEMS, REPORT_VERSION } from './reportTerms.ts';

// The usability report as data: what `faultline report --format json` prints, and what every other form is made from. The
// schema comes first and the types from it, since reports are read back to be compared. Fields are only ever added within a
// version, and what the schema does not name is let through.

const natural = z.int().check(z.nonnegative());
const amount = z.number().check(z.nonnegative());
const text = z.string();
const optionalText = z.exactOptional(text);
/** Keys of exchanges: the rows of the timeline. A message of a batch has a fraction. */
const rows = z.readonly(z.array(amount));
const outcome = z.enum(OUTCOME_KINDS);
const outcomes = z.readonly(z.partialRecord(outcome, natural));

const act = z.enum(AGENT_ACTS);

const evidence = z.readonly(
  z.object({
    kind: act,
    session: text,
    origin: text,
    server: text,
    tool: text,
    /** What failed, then what followed; oldest first, of a loop the newest. */
    exchanges: rows,
    /** Calls that it took in all: of a loop more than `exchanges` names. */
    count: natural,
  }),
);

/** How a client's agent dealt with failures in one session. */
const verdict = z.readonly(
  z.object({
    session: text,
    origin: text,
    /** Name of the client of a tap; empty for calls that Faultline made itself. */
    client: text,
    calls: natural,
    failures: natural,
    acts: z.readonly(z.partialRecord(act, natural)),
    /** Calls that loops took. */
    loopCalls: natural,
    grade: z.enum(['nothing-failed', 'too-few', 'recovers', 'mixed', 'struggles']),
    /** The newest of each kind. */
    evidence: z.readonly(z.array(evidence)),
  }),
);

const latency = z.readonly(
  z.object({
    /** Calls that were answered. */
    count: natural,
    /** µs, within 2 %. */
    p50Us: amount,
    p95Us: amount,
    p99Us: amount,
    maxUs: amount,
  }),
);

const template = z.readonly(
  z.object({
    /** What the texts have in common; `‹…›` stands for what differs. */
    template: text,
    count: natural,
    outcomes,
    firstUs: natural,
    lastUs: natural,
    /** The first and the newest, at most five. */
    rows,
    /** Different ones, secrets replaced. */
    examples: z.readonly(z.array(text)),
    /** What came next: how often the same call was made again, and how often other arguments helped. */
    blindRetries: natural,
    recoveries: natural,
    giveUps: natural,
  }),
);

const change = z.readonly(
  z.object({
    /** RFC 6901, within the arguments. */
    pointer: text,
    kind: z.enum(['added', 'removed', 'changed', 'moved']),
    /** JSON, shortened, secrets replaced. */
    before: optionalText,
    after: optionalText,
  }),
);

/** Recoveries that changed the same parts of the arguments. */
const recovery = z.readonly(
  z.object({
    count: natural,
    /** Of the newest. */
    changes: z.readonly(z.array(change)),
    /** Changes beyond those. */
    omitted: natural,
    exchanges: rows,
  }),
);

const source = z.readonly(
  z.object({
    /** As a person would name it: relative to the folder that was looked through. */
    path: text,
    /** From 1. */
    line: natural,
    /** The lint rule that says why, where one does. */
    rule: optionalText,
  }),
);

const acted = z.readonly(
  z.object({
    count: natural,
    /** Calls that these took in all. */
    calls: natural,
    /** The newest, at most ten: of each the failed call and the one that followed. */
    rows: z.readonly(z.array(rows)),
  }),
);

const tool = z.readonly(
  z.object({
    server: text,
    tool: text,
    /** A call with all its attempts is one. */
    calls: natural,
    attempts: natural,
    failures: natural,
    outcomes,
    latency: z.exactOptional(latency),
    /** Answers over `SLOW_US`. */
    slowCalls: natural,
    bytes: z.readonly(
      z.object({ requests: natural, answers: natural, largestAnswer: natural, largestRow: z.exactOptional(amount) }),
    ),
    /** Answers of `HUGE_BYTES` or more. */
    hugeAnswers: natural,
    firstUs: natural,
    lastUs: natural,
    errors: z.readonly(z.array(template)),
    /** Failures whose text found no room among the templates. */
    otherErrors: natural,
    acts: z.readonly(z.partialRecord(act, acted)),
    recoveries: z.readonly(z.array(recovery)),
    silent: z.exactOptional(z.readonly(z.object({ count: natural, rows, source: z.exactOptional(source) }))),
    annotations: z.readonly(
      z.object({
        /** Was the tool in a listing that was recorded? Without, nothing is known of its hints. */
        isListed: z.boolean(),
        /** Hints that it should give and does not. */
        missing: z.readonly(z.array(text)),
        /** Calls whose fate was unknown and which nobody might repeat, for want of a hint. */
        unrepeatable: natural,
      }),
    ),
  }),
);

const fix = z.readonly(
  z.object({
    server: text,
    tool: text,
    problem: z.enum(PROBLEMS),
    /** Sum of weight × count over `parts`. */
    points: amount,
    parts: z.readonly(z.array(z.readonly(z.object({ what: text, count: natural, weight: amount })))),
    /** Of unclear errors: the text that helped least. */
    template: optionalText,
    source: z.exactOptional(source),
    rows,
  }),
);

const bucket = z.readonly(z.object({ fromUs: natural, calls: natural, failures: natural }));

/** `REPORT_VERSION` of the form. */
export const reportSchema = z.readonly(
  z.object({
    faultlineReport: z.literal(REPORT_VERSION),
    /** ISO 8601. */
    generatedAt: text,
    /** Version of the Faultline that made it. */
    faultline: text,
    scope: z.readonly(
      z.object({
        /** A name where a person gave one. */
        sessions: z.readonly(z.array(z.readonly(z.object({ id: text, name: optionalText })))),
        /** Of the first and the last call, wall time in µs; 0 without calls. */
        fromUs: natural,
        toUs: natural,
        /** As a person gave it. */
        filter: optionalText,
        since: optionalText,
      }),
    ),
    totals: z.readonly(
      z.object({
        calls: natural,
        attempts: natural,
        failures: natural,
        outcomes,
        servers: natural,
        tools: natural,
        requestBytes: natural,
        answerBytes: natural,
      }),
    ),
    /** Even steps of time, those with a call in them. */
    timeline: z.readonly(z.object({ stepUs: natural, buckets: z.readonly(z.array(bucket)) })),
    servers: z.readonly(
      z.array(z.readonly(z.object({ server: text, tools: natural, calls: natural, failures: natural, outcomes }))),
    ),
    /** Those with most to mend first. */
    tools: z.readonly(z.array(tool)),
    neverCalled: z.readonly(z.array(z.readonly(z.object({ server: text, tools: z.readonly(z.array(text)) })))),
    agents: z.readonly(z.array(verdict)),
    /** The most points first. */
    fixFirst: z.readonly(z.array(fix)),
    /** What was beyond the bounds of memory: calls of further tools, and further agents. Usually 0. */
    /** `injected`: calls into which Faultline injected a fault; they say nothing of their tools. */
    leftOut: z.readonly(z.object({ calls: natural, agents: natural, injected: z._default(natural, 0) })),
  }),
);

export type Report = z.infer<typeof reportSchema>;
export type ReportTool = Report['tools'][number];
export type ErrorTemplate = ReportTool['errors'][number];
export type Recovery = ReportTool['recoveries'][number];
export type ArgumentChange = Recovery['changes'][number];
export type ReportSource = NonNullable<NonNullable<ReportTool['silent']>['source']>;
export type ReportFix = Report['fixFirst'][number];
export type AgentEvidence = z.infer<typeof evidence>;
export type AgentVerdict = z.infer<typeof verdict>;
