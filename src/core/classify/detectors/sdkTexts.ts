import type { Detector } from '../evidence.ts';
import { shorten } from '../json.ts';
import { isEcho } from './wording.ts';

/** Texts that SDKs put into a result when a handler fails (protocol fact sheet, 2.2). */
const SDK_TEXTS: readonly { readonly sdk: string; readonly pattern: RegExp }[] = [
  { sdk: 'TypeScript SDK', pattern: /^MCP error -?\d+: / },
  { sdk: 'TypeScript and Python SDKs', pattern: /^(?:Input|Output) validation error: / },
  { sdk: 'Python and Kotlin SDKs', pattern: /^Error executing tool \S{1,100}: / },
  { sdk: 'FastMCP', pattern: /^Error calling tool '/ },
  { sdk: 'Python SDK and FastMCP', pattern: /^Unknown tool: / },
  { sdk: 'TypeScript SDK', pattern: /^Tool \S{1,100} not found$/ },
  {
    sdk: 'fastmcp for TypeScript',
    pattern: /^Tool '[^'\n]{1,100}' (?:execution failed|parameter validation failed|timed out)/,
  },
  { sdk: 'C# SDK', pattern: /^An error occurred invoking '/ },
  { sdk: 'Go SDK', pattern: /^validating "arguments": / },
];

/** A text that an SDK writes only for a failure, in a result that does not say `isError`: a wrapper lost the flag. */
export const detectSdkText: Detector = (view, { request, nature }) => {
  const first = view.texts[0];
  const found =
    first === undefined ? undefined : SDK_TEXTS.find(({ pattern }) => pattern.test(first.text.slice(0, 400)));
  const isQuoted = nature.makesText || (nature.carriesContent && (first?.text.length ?? 0) > 1000);
  if (first === undefined || found === undefined || isQuoted || isEcho(first.text, request)) {
    return [];
  }
  const signal = {
    code: 'signal.silent.sdkText',
    strength: 'strong',
    pointer: first.pointer,
    args: { sdk: found.sdk, text: shorten(first.text) },
  } as const;
  return [{ says: 'failed', signal, cause: first.text }];
};
