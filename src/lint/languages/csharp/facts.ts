import { factsByName } from '../shared/facts.ts';

/** What the rules ask about C#. */
export const csharpFacts = factsByName({
  stdout: /^(?:System\.)?Console\.(?:Out\.)?Write(?:Line)?(?:Async)?$/,
  exit: /^(?:System\.)?Environment\.(?:Exit|FailFast)$/,
  stdio: /^(?:WithStdioServerTransport|StdioServerTransport)$/,
  http: /^(?:WithHttpTransport|MapMcp)$/,
  trace: /^StackTrace$/,
  names: /^(?:Write(?:Line)?(?:Async)?|Exit|FailFast)$/,
});
