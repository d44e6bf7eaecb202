import type { Revision } from './revisions.ts';

/** Who raised an error with a given code, since the same numbers are used locally and on the wire. */
export interface ErrorCodeEntry {
  readonly code: number;
  readonly name: string;
  /** Where the code is defined: a specification section, or the implementations that use it unasked. */
  readonly source: string;
  /** Who may answer with it. */
  readonly sender: 'client' | 'server' | 'either';
  /** The revisions that have it; without `until` all later ones. Absent for codes that no revision defines. */
  readonly from?: Revision;
  readonly until?: Revision;
  /** What the revisions without it answer with instead. */
  readonly instead?: string;
}

const ALWAYS = { sender: 'either', from: '2024-11-05' } as const;

/**
 * JSON-RPC 2.0 §5.1 and the MCP revisions' own codes. Codes from -32000 to -32019 carry no meaning that a receiver may
 * rely on (2026-07-28, "Error Codes"); -32002 is the exception. What to do about each is the text `code.<code>.advice`.
 */
export const ERROR_CODES: readonly ErrorCodeEntry[] = [
  { code: -32700, name: 'Parse error', source: 'JSON-RPC 2.0', ...ALWAYS },
  { code: -32600, name: 'Invalid Request', source: 'JSON-RPC 2.0', ...ALWAYS },
  { code: -32601, name: 'Method not found', source: 'JSON-RPC 2.0', ...ALWAYS },
  { code: -32602, name: 'Invalid params', source: 'JSON-RPC 2.0', ...ALWAYS },
  { code: -32603, name: 'Internal error', source: 'JSON-RPC 2.0', ...ALWAYS },
  {
    code: -32002,
    name: 'Resource not found',
    source: 'MCP 2024-11-05 to 2025-11-25',
    sender: 'server',
    from: '2024-11-05',
    until: '2025-11-25',
    instead: '-32602 with data.uri',
  },
  {
    code: -32042,
    name: 'URL elicitation required',
    source: 'MCP 2025-11-25',
    sender: 'server',
    from: '2025-11-25',
    until: '2025-11-25',
    instead: 'resultType "input_required"',
  },
  {
    code: -32020,
    name: 'Header mismatch',
    source: 'MCP 2026-07-28',
    sender: 'server',
    from: '2026-07-28',
    instead: '-32600',
  },
  {
    code: -32021,
    name: 'Missing required client capability',
    source: 'MCP 2026-07-28',
    sender: 'server',
    from: '2026-07-28',
    instead: '-32601',
  },
  {
    code: -32022,
    name: 'Unsupported protocol version',
    source: 'MCP 2026-07-28',
    sender: 'server',
    from: '2026-07-28',
    instead: '-32602 with data.supported',
  },
  { code: 0, name: 'Unspecified error', source: 'Python and Go SDKs', sender: 'server' },
  {
    code: -1,
    name: 'Rejected by the user',
    source: 'MCP to 2025-11-25, sampling',
    sender: 'client',
    from: '2024-11-05',
    until: '2025-11-25',
  },
];

/** The entry of a code, or `undefined` of one that is in no table. */
export function errorCodeEntry(code: number): ErrorCodeEntry | undefined {
  return ERROR_CODES.find((entry) => entry.code === code);
}
