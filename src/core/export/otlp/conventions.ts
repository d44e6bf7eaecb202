/**
 * Names of the OpenTelemetry semantic conventions for MCP, `open-telemetry/semantic-conventions-genai`, `model/mcp` (status:
 * development). Written out, since the conventions ask libraries not to depend on names that may still change.
 */
export const ATTR = {
  method: 'mcp.method.name',
  sessionId: 'mcp.session.id',
  protocolVersion: 'mcp.protocol.version',
  resourceUri: 'mcp.resource.uri',
  requestId: 'jsonrpc.request.id',
  tool: 'gen_ai.tool.name',
  prompt: 'gen_ai.prompt.name',
  operation: 'gen_ai.operation.name',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
  errorType: 'error.type',
  statusCode: 'rpc.response.status_code',
  networkTransport: 'network.transport',
  networkProtocol: 'network.protocol.name',
  serverAddress: 'server.address',
  serverPort: 'server.port',
} as const;

/** What the conventions have no name for. `docs/otel.md` describes each. */
export const OWN = {
  outcome: 'faultline.outcome',
  signal: 'faultline.signal',
  server: 'faultline.server',
  origin: 'faultline.origin',
  session: 'faultline.session',
  row: 'faultline.row',
  marks: 'faultline.marks',
  injected: 'faultline.injected',
  anomalies: 'faultline.anomalies',
  partialDone: 'faultline.partial.done',
  partialTotal: 'faultline.partial.total',
  partialMissing: 'faultline.partial.missing',
  attempt: 'faultline.attempt.number',
  maxAttempts: 'faultline.attempt.max',
  attemptDelay: 'faultline.attempt.delay',
  attemptReason: 'faultline.attempt.reason',
  attempts: 'faultline.call.attempts',
  group: 'faultline.group.kind',
  groupIndex: 'faultline.group.index',
  link: 'faultline.link',
  replayOf: 'faultline.replay.of',
  unfinished: 'faultline.unfinished',
} as const;

export const METRIC = {
  clientOperation: 'mcp.client.operation.duration',
  serverOperation: 'mcp.server.operation.duration',
  clientSession: 'mcp.client.session.duration',
  exchanges: 'faultline.exchanges',
  retries: 'faultline.retries',
  dropped: 'faultline.export.dropped',
} as const;

/** `ExplicitBucketBoundaries` of the four durations of the conventions, seconds. */
export const DURATION_BUCKETS_S: readonly number[] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/**
 * JSON-RPC codes that say that the caller sent what could not be served: no errors of the one who answers
 * (`mcp.server.status.attributes`).
 */
export const CALLERS_FAULTS: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601, -32_602, -32_002]);
