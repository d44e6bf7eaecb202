import type { TextArgs } from '../base/text.ts';

/**
 * How much an anomaly weighs, as Wireshark's expert information has it. `chat`: how things went, worth a word. `note`:
 * unusual. `warn`: breaks a rule or is likely to hurt. `error`: breaks a rule, so that a client may not get on with it.
 */
export const ANOMALY_SEVERITIES = ['chat', 'note', 'warn', 'error'] as const;

export type AnomalySeverity = (typeof ANOMALY_SEVERITIES)[number];

/** What an anomaly is about; reports count by it. */
export const ANOMALY_GROUPS = [
  'transport',
  'protocol',
  'correlation',
  'codes',
  'deprecated',
  'tools',
  'performance',
  'security',
] as const;

export type AnomalyGroup = (typeof ANOMALY_GROUPS)[number];

/** What every anomaly of one code has in common. `source` is the section of the specification that the rule is from. */
export interface AnomalyKind {
  readonly severity: AnomalySeverity;
  readonly group: AnomalyGroup;
  readonly source: string;
}

const basic = (section: string) => `MCP, basic protocol, ${section}`;

/**
 * Every anomaly by its code. `anomaly.<code>` and `anomaly.<code>.remedy` in `protocol/texts/anomaly.ts` are its sentence
 * and what to do about it; `docs/anomalies.md` lists them all.
 */
export const ANOMALY_KINDS = {
  // What is on the wire beside messages.
  stdoutNoise: { severity: 'warn', group: 'transport', source: 'MCP, transports, stdio' },
  lspFraming: { severity: 'error', group: 'transport', source: 'MCP, transports, stdio' },
  frameTooLarge: { severity: 'error', group: 'transport', source: 'Faultline, frame limit' },
  unterminatedFrame: { severity: 'warn', group: 'transport', source: 'MCP, transports, stdio' },
  invalidUtf8: { severity: 'warn', group: 'transport', source: 'MCP, transports: messages are UTF-8' },
  byteOrderMark: { severity: 'note', group: 'transport', source: 'RFC 8259, section 8.1' },
  headerMissing: { severity: 'warn', group: 'transport', source: 'MCP 2026-07-28, Streamable HTTP, headers' },
  headerMismatch: { severity: 'error', group: 'transport', source: 'MCP 2026-07-28, Streamable HTTP, headers' },
  statusMismatch: { severity: 'warn', group: 'transport', source: 'MCP 2026-07-28, Streamable HTTP, status' },
  sessionOnModern: { severity: 'note', group: 'transport', source: 'MCP 2026-07-28, changelog: sessions removed' },

  // Rules of the revision that is spoken.
  batchNotAllowed: { severity: 'warn', group: 'protocol', source: basic('batches (only 2025-03-26)') },
  initializeInBatch: { severity: 'error', group: 'protocol', source: 'MCP 2025-03-26, lifecycle' },
  requestBeforeInitialize: { severity: 'warn', group: 'protocol', source: 'MCP to 2025-11-25, lifecycle' },
  initializedMissing: { severity: 'warn', group: 'protocol', source: 'MCP to 2025-11-25, lifecycle' },
  initializeTwice: { severity: 'warn', group: 'protocol', source: 'MCP to 2025-11-25, lifecycle' },
  initializeCancelled: { severity: 'error', group: 'protocol', source: 'MCP, cancellation' },
  unknownRevision: { severity: 'warn', group: 'protocol', source: 'MCP, versioning' },
  wrongDirection: { severity: 'error', group: 'protocol', source: 'MCP, schema: ClientRequest, ServerRequest' },
  notInRevision: { severity: 'warn', group: 'protocol', source: 'MCP, schema of the revision' },
  serverRequestOnModern: { severity: 'error', group: 'protocol', source: 'MCP 2026-07-28, transports, stdio' },
  clientAnswerOnModern: { severity: 'error', group: 'protocol', source: 'MCP 2026-07-28, transports, stdio' },
  metaMissing: { severity: 'error', group: 'protocol', source: 'MCP 2026-07-28, basic protocol, _meta' },
  resultTypeMissing: { severity: 'warn', group: 'protocol', source: 'MCP 2026-07-28, basic protocol, resultType' },
  cacheHintsMissing: { severity: 'note', group: 'protocol', source: 'MCP 2026-07-28, caching' },
  inputOnWrongMethod: { severity: 'error', group: 'protocol', source: 'MCP 2026-07-28, multi round-trip requests' },
  requestStateUnknown: { severity: 'warn', group: 'protocol', source: 'MCP 2026-07-28, multi round-trip requests' },
  capabilityUndeclared: { severity: 'warn', group: 'protocol', source: 'MCP to 2025-11-25, capability negotiation' },
  logNotRequested: { severity: 'warn', group: 'protocol', source: 'MCP 2026-07-28, logging' },
  structuredWithoutText: { severity: 'note', group: 'protocol', source: 'MCP 2025-06-18, structured content' },
  emptyToolError: { severity: 'note', group: 'protocol', source: 'MCP, tools, error handling' },

  // Who answers whom.
  idTypeMismatch: { severity: 'warn', group: 'correlation', source: 'JSON-RPC 2.0, section 5' },
  idReused: { severity: 'warn', group: 'correlation', source: basic('requests') },
  idStillOpen: { severity: 'error', group: 'correlation', source: basic('requests') },
  unknownId: { severity: 'error', group: 'correlation', source: 'JSON-RPC 2.0, section 5' },
  answeredTwice: { severity: 'warn', group: 'correlation', source: 'JSON-RPC 2.0, section 5' },
  answeredLate: { severity: 'chat', group: 'correlation', source: 'MCP, cancellation' },
  cancelUnknown: { severity: 'note', group: 'correlation', source: 'MCP, cancellation' },
  progressUnknownToken: { severity: 'warn', group: 'correlation', source: 'MCP, progress' },
  progressNotIncreasing: { severity: 'warn', group: 'correlation', source: 'MCP, progress' },
  progressOverTotal: { severity: 'note', group: 'correlation', source: 'MCP, progress' },
  progressAfterEnd: { severity: 'warn', group: 'correlation', source: 'MCP, progress' },
  progressAfterCancel: { severity: 'chat', group: 'correlation', source: 'MCP, cancellation' },
  progressTokenReused: { severity: 'warn', group: 'correlation', source: 'MCP, progress' },
  cursorUnknown: { severity: 'note', group: 'correlation', source: 'MCP, pagination' },
  cursorRepeated: { severity: 'warn', group: 'correlation', source: 'MCP, pagination' },
  tooManyOpen: { severity: 'note', group: 'correlation', source: 'Faultline, limit of open requests' },

  // Numbers of errors.
  reservedCode: { severity: 'warn', group: 'codes', source: 'MCP 2026-07-28, error codes' },
  codeNotInRevision: { severity: 'warn', group: 'codes', source: 'MCP, schema of the revision' },
  codeWrongSender: { severity: 'warn', group: 'codes', source: 'MCP, error codes' },
  codeWithoutMeaning: { severity: 'chat', group: 'codes', source: 'MCP 2026-07-28, error codes' },
  codeLeaked: { severity: 'note', group: 'codes', source: 'JSON-RPC 2.0, section 5.1' },
  codeNotInteger: { severity: 'warn', group: 'codes', source: 'JSON-RPC 2.0, section 5.1' },

  deprecatedFeature: { severity: 'note', group: 'deprecated', source: 'MCP 2026-07-28, deprecated features' },
  deprecatedTransport: { severity: 'note', group: 'deprecated', source: 'MCP 2025-03-26, changelog: HTTP+SSE' },

  // What servers say of their tools.
  toolOrderUnstable: { severity: 'note', group: 'tools', source: 'MCP 2026-07-28, tools: deterministic order' },
  toolChanged: { severity: 'warn', group: 'tools', source: 'Faultline, comparison with the listing before' },
  toolsAdded: { severity: 'chat', group: 'tools', source: 'Faultline, comparison with the listing before' },
  toolsRemoved: { severity: 'note', group: 'tools', source: 'Faultline, comparison with the listing before' },
  toolTwice: { severity: 'warn', group: 'tools', source: 'MCP, tools: names are unique' },
  toolName: { severity: 'note', group: 'tools', source: 'MCP 2025-11-25, tools: names' },
  toolSchemaInvalid: { severity: 'warn', group: 'tools', source: 'MCP, schema: Tool.inputSchema' },
  toolNotListed: { severity: 'note', group: 'tools', source: 'Faultline, comparison with the listing' },

  slow: { severity: 'note', group: 'performance', source: "Faultline, the tool's own median" },
  oversizedResult: { severity: 'note', group: 'performance', source: 'Faultline, what a model can read' },
  hugeResult: { severity: 'warn', group: 'performance', source: 'Faultline, what a model can read' },

  stackTraceInError: { severity: 'note', group: 'security', source: 'MCP, security: errors must not leak internals' },
  instructionsToModel: { severity: 'warn', group: 'security', source: 'OWASP LLM01, prompt injection' },
  hiddenText: { severity: 'warn', group: 'security', source: 'Unicode TR36: bidirectional and invisible text' },
  terminalEscapes: { severity: 'note', group: 'security', source: 'ECMA-48: control sequences' },
} as const satisfies Readonly<Record<string, AnomalyKind>>;

export type AnomalyCode = keyof typeof ANOMALY_KINDS;

/**
 * Something about an exchange that is worth knowing beside its outcome. `seq` is the event in which it was seen, `pointer`
 * the place in that event's message (RFC 6901). `args` fill the places of the sentence and of the remedy.
 */
export interface Anomaly {
  readonly code: AnomalyCode;
  readonly severity: AnomalySeverity;
  readonly group: AnomalyGroup;
  readonly args: TextArgs;
  readonly pointer?: string;
  readonly seq: number;
}
