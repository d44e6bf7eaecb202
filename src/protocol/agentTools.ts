import { z } from 'zod';

/**
 * What a coding agent may ask of what was recorded, so that it can read what broke and mend the server. All of them only
 * read. The names and words are for models and stay English; what a person sees of them is in the manifest.
 */
export const AGENT_TOOL_NAMES = ['recent_failures', 'show_exchange', 'usability_report', 'lint_findings'] as const;

export type AgentToolName = (typeof AGENT_TOOL_NAMES)[number];

/** Failures listed unless told otherwise, and at most. */
export const DEFAULT_FAILURES = 20;
const MAX_FAILURES = 100;

const filter = z
  .string()
  .max(1000)
  .optional()
  .describe(
    'Narrows what is looked at, in the filter language of the timeline, for example: server:github tool:create_issue outcome:silent_error since:10m "not found"',
  );

export const agentToolInputs = {
  recent_failures: z.strictObject({
    filter,
    limit: z
      .int()
      .min(1)
      .max(MAX_FAILURES)
      .optional()
      .describe(`How many, the newest first; ${DEFAULT_FAILURES} unless told otherwise.`),
    includeSuccesses: z.boolean().optional().describe('List successes as well, which are left out otherwise.'),
  }),
  show_exchange: z.strictObject({
    key: z.number().positive().describe('The number behind # in recent_failures.'),
  }),
  usability_report: z.strictObject({ filter }),
  lint_findings: z.strictObject({
    path: z
      .string()
      .max(4096)
      .optional()
      .describe('A file or folder of the workspace, relative to it; all of it without.'),
  }),
} satisfies Readonly<Record<AgentToolName, z.ZodObject>>;

export type AgentToolInput<Name extends AgentToolName> = z.infer<(typeof agentToolInputs)[Name]>;

/** What a model is told of each tool. */
export const agentToolTexts: Readonly<Record<AgentToolName, { readonly title: string; readonly description: string }>> =
  {
    recent_failures: {
      title: 'Recent failures of MCP calls',
      description:
        'Lists MCP calls that failed lately, the newest first, each with its key, server, tool, outcome and the reason in a sentence: protocol errors (the exchange is broken), tool errors (isError: true), silent errors (a failure that was returned as a success), partial results, timeouts and lost connections. Call show_exchange with a key to see one whole.',
    },
    show_exchange: {
      title: 'One MCP exchange in full',
      description:
        'Shows one recorded MCP exchange whole: request and answer as they were on the wire with secrets replaced, why it was judged as it was and at which place in the message, what is missing of a partial result, its attempts, what the server wrote to stderr meanwhile, and whether the call may be repeated.',
    },
    usability_report: {
      title: 'Usability report of MCP tools',
      description:
        'Reports by tool what fails and how often, error texts grouped into templates, latencies, blind retries, loops, possible duplicates of writes, what callers changed to recover, and what to mend first and why. Markdown.',
    },
    lint_findings: {
      title: 'Lint findings in MCP servers',
      description:
        'Lists places in the source of MCP servers where a tool hides its failure (for example returns an error text instead of raising), with rule, file, line and how the rule wants it mended. The source is read, never run.',
    },
  };
