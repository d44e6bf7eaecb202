import type { SdkFamily } from '../model.ts';

/** What a raised error becomes, by SDK (protocol.md, section 5; lint.md, table of fixes). */
type Becomes =
  /** A tool result with the error flag. */
  | 'result'
  /** A JSON-RPC error, which the model does not see. */
  | 'protocol'
  /** A tool result, but for the SDK's protocol error, which goes out as it is. */
  | 'protocolIfMeant';

const BECOMES: Readonly<Partial<Record<SdkFamily, Becomes>>> = {
  'py-mcpserver-v2': 'protocolIfMeant',
  'py-fastmcp-v1': 'result',
  'py-fastmcp-standalone': 'result',
  'py-lowlevel-v1': 'result',
  'py-lowlevel-v2': 'protocol',
  'ts-mcpserver-v1': 'result',
  'ts-mcpserver-v2': 'result',
  'ts-lowlevel-v1': 'protocol',
  'ts-lowlevel-v2': 'protocol',
  'ts-fastmcp': 'result',
  'ts-mcp-framework': 'result',
  'ts-xmcp': 'result',
  'go-official': 'result',
  'go-official-lowlevel': 'protocol',
  'go-mark3labs': 'protocol',
  csharp: 'protocolIfMeant',
  'java-sdk': 'protocol',
  'java-quarkus': 'protocol',
  'kotlin-sdk': 'result',
  'rust-rmcp': 'protocol',
  'php-official': 'protocol',
  'ruby-mcp': 'protocol',
};

/** The exceptions that an SDK does make a tool result of, where it makes a protocol error of all others. */
const RESULT_CLASSES: Readonly<Partial<Record<SdkFamily, string>>> = {
  'php-official': 'ToolCallException',
  'java-quarkus': 'ToolCallException',
};

/** What an error becomes, `className` when that is known. Undefined when the SDK is not known. */
export function raisedBecomes(sdk: SdkFamily, className?: string): Becomes | undefined {
  return className !== undefined && RESULT_CLASSES[sdk] === className ? 'result' : BECOMES[sdk];
}

/** SDKs that check arguments by the declared schema before the handler runs. */
const VALIDATES: ReadonlySet<SdkFamily> = new Set([
  'py-mcpserver-v2',
  'py-fastmcp-v1',
  'py-fastmcp-standalone',
  'ts-mcpserver-v1',
  'ts-mcpserver-v2',
  'ts-fastmcp',
]);

export const validatesArguments = (sdk: SdkFamily) => VALIDATES.has(sdk);
