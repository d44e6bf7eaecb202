/** Who raised an error with a given code, since the same numbers are used locally and on the wire. */
export interface ErrorCodeEntry {
  readonly code: number;
  readonly name: string;
  /** Where the code is defined: a specification section, or the implementations that use it unasked. */
  readonly source: string;
}

/**
 * JSON-RPC 2.0 §5.1 and the MCP revisions' own codes. Codes from -32000 to -32019 carry no meaning that a receiver may
 * rely on (2026-07-28, "Error Codes"); -32002 is the exception.
 */
export const ERROR_CODES: readonly ErrorCodeEntry[] = [
  { code: -32700, name: 'Parse error', source: 'JSON-RPC 2.0' },
  { code: -32600, name: 'Invalid Request', source: 'JSON-RPC 2.0' },
  { code: -32601, name: 'Method not found', source: 'JSON-RPC 2.0' },
  { code: -32602, name: 'Invalid params', source: 'JSON-RPC 2.0' },
  { code: -32603, name: 'Internal error', source: 'JSON-RPC 2.0' },
  { code: -32002, name: 'Resource not found', source: 'MCP 2024-11-05 to 2025-11-25' },
  { code: -32042, name: 'URL elicitation required', source: 'MCP 2025-11-25' },
  { code: -32020, name: 'Header mismatch', source: 'MCP 2026-07-28' },
  { code: -32021, name: 'Missing required client capability', source: 'MCP 2026-07-28' },
  { code: -32022, name: 'Unsupported protocol version', source: 'MCP 2026-07-28' },
  { code: 0, name: 'Unspecified error', source: 'Python and Go SDKs' },
];
