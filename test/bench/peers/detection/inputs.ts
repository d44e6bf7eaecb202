/** What a program shows and keeps of one conversation. */
export interface Transcript {
  /** All that a person sees, terminal or page. */
  readonly seen: string;
  /** What it keeps of it: a log, an export. Absent when it keeps nothing. */
  readonly recorded?: string;
}

/** The server of one conversation: a file of test/servers and its words, or its options for one over HTTP. */
export type HostileServer =
  | { readonly transport: 'stdio'; readonly file: string; readonly args: readonly string[] }
  | { readonly transport: 'http'; readonly file: string; readonly options: Readonly<Record<string, string>> };

/** One input that broke tools, and how one sees that a program has understood it. */
export interface HostileInput {
  readonly name: string;
  readonly server: HostileServer;
  /** That something is there at all. */
  readonly shown: RegExp;
  /** That it is told for what it is. */
  readonly right: RegExp;
  /** What must not stand there, however it is told. */
  readonly never?: RegExp;
  /** The payload itself. */
  readonly kept: RegExp;
  /** Only what is recorded is looked at: whoever records nothing is not asked. */
  readonly isOfRecord?: true;
}

const stdio = (file: string, ...args: string[]): HostileServer => ({ transport: 'stdio', file, args });
const http = (file: string, options: Readonly<Record<string, string>> = {}): HostileServer => ({
  transport: 'http',
  file,
  options,
});
const text = (said: string, more: object = {}) => JSON.stringify({ content: [{ type: 'text', text: said }], ...more });

/** That a call has come to nothing, in the words of whatever program: something is there, though not what. */
const NO_ANSWER = /timed out|request timeout|timeout in|ERROR\s+TOOLS\/CALL|SERVER → CLIENT\s+RESPONSE/i;
const or = (...patterns: readonly RegExp[]) => new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'), 'i');

/** In the shape of a key of a provider, and none. */
const SECRET = `sk-${'Zx9'.repeat(16)}`;

/**
 * Inputs that broke other tools. The same patterns judge every program, and are as wide as is fair: any word for the matter
 * counts, in whatever place the program says it.
 */
export const HOSTILE_INPUTS: readonly HostileInput[] = [
  {
    name: 'a banner on stdout',
    server: stdio('stdoutBanner'),
    shown: /Server listening on 3000|not valid JSON|Non-JSON/i,
    right: /not valid JSON|not-json|Non-JSON|stdoutNoise|stdout noise/i,
    kept: /Server listening on 3000/,
  },
  {
    name: 'an answer without `jsonrpc`',
    server: stdio('missingJsonrpc'),
    shown: or(NO_ANSWER, /\binvalid|malformed|unrecognized|missing.?jsonrpc|ZodError/),
    right: /(?:missing|invalid|expected)[\s\S]{0,80}jsonrpc|jsonrpc[\s\S]{0,80}(?:missing|invalid|expected)/i,
    kept: /\bdone\b/,
  },
  {
    name: 'an error whose id is null',
    server: stdio('nullIdError'),
    shown: or(NO_ANSWER, /Parse error/),
    right: /-32700|unassociated/,
    kept: /Parse error/,
  },
  {
    name: 'a number answered as a string',
    server: stdio('stringId'),
    shown: or(NO_ANSWER, /id.?type.?mismatch|type mismatch|unknown message id/),
    right: /id.?type.?mismatch|type mismatch|unknown message id/i,
    kept: /\bdone\b/,
  },
  {
    name: 'an id answered twice',
    server: stdio('duplicateAnswer'),
    shown: or(NO_ANSWER, /\bsecond\b|answered.?twice|duplicate|unknown message id/),
    right: /answered.?twice|answered again|duplicate|unknown message id/i,
    kept: /\bsecond\b/,
  },
  {
    name: 'a batch where none is allowed',
    server: stdio('batchAnswer'),
    shown: or(NO_ANSWER, /batch|\binvalid|unrecognized|ZodError/),
    right: /batch/i,
    kept: /\bdone\b/,
  },
  {
    name: 'a character cut in two, and U+2028',
    server: stdio('splitCharacter'),
    shown: /é/,
    right: /é[^\uFFFD]{0,12}ü/,
    never: /\uFFFD/,
    kept: /é(?:\u2028|\\u2028)ü/,
  },
  {
    name: 'one line of 12 MiB',
    server: stdio('hugeLine'),
    shown: /Connection closed|x{200}|\b1[23][\d.,]*\s?(?:MB|MiB)|\b12[.,]?58\d[.,]?\d{3}/,
    right: /\b1[23][\d.,]*\s?(?:MB|MiB)|\b12[.,]?58\d[.,]?\d{3}/,
    kept: /x{65000}/,
  },
  {
    name: 'a line of 70 MiB without an end',
    server: stdio('endlessLine'),
    shown: or(NO_ANSWER, /too.?large|frameTooLarge|exceed|not valid JSON|\binvalid|Connection closed/),
    right: /too.?large|frameTooLarge|exceed/i,
    kept: /x{200}/,
  },
  {
    name: '`isError` without the structure that was promised',
    server: stdio(
      'givenResult',
      text('no disk', { isError: true }),
      JSON.stringify({ type: 'object', required: ['free'], properties: { free: { type: 'number' } } }),
    ),
    shown: /no disk/,
    right: /tool.?error|isError"?\s*:\s*true/i,
    never: /has an output schema|structured content/i,
    kept: /no disk/,
  },
  {
    name: '`isError` in the list of calls',
    server: stdio('givenResult', text('no disk', { isError: true })),
    shown: /no disk|OK\s+TOOLS\/CALL/,
    right: /tool.?error|isError"?\s*:\s*true/i,
    // The Inspector's history tells the call as one that went well, whatever stands beside it.
    never: /\bOK\s+TOOLS\/CALL/,
    kept: /no disk/,
  },
  {
    name: 'a failure dressed as a success',
    server: stdio('givenResult', text('Error: account 4711 not found')),
    shown: /silent.?error|looks like an error|hidden failure/i,
    right: /silent.?error|looks like an error|hidden failure/i,
    kept: /account 4711/,
  },
  {
    name: 'progress before an answer',
    server: stdio('progressThenDone', '8', '100'),
    shown: /progress/i,
    right: /notifications\/progress|progress\D{0,24}\d/i,
    kept: /"progress\\?":\s*\d/,
  },
  {
    name: 'an answer after the call was cancelled',
    server: stdio('lateAnswer'),
    shown: NO_ANSWER,
    right: /answeredLate|late (?:answer|response)|\[[^\]]*\blate\b|unknown message id/i,
    kept: /"late\\?"/,
  },
  {
    name: 'a server that exits within a call',
    server: stdio('exitMidCall'),
    shown: /closed|exited|\blost\b|terminated|disconnect/i,
    right: /exit[^\n]{0,24}\b3\b|code[^\n]{0,8}\b3\b/i,
    kept: /lost the database/,
  },
  {
    name: 'input asked for in the middle of a call',
    server: stdio('modernRounds'),
    shown: /input.?required|elicit|Who\?/i,
    right: /input.?required/i,
    kept: /Who\?/,
  },
  {
    name: 'markup, a bidi override and ANSI in a result',
    server: stdio('givenResult', text('<img onerror=x>\u202e\u001b[31mred')),
    shown: /<img onerror=x>/,
    right: /red/,
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what a terminal obeys.
    never: /\u202e|\u001b\[31m/,
    kept: /<img onerror=x>/,
  },
  {
    name: 'a key of a provider in a result',
    server: stdio('givenResult', text(`keep-me apiKey=${SECRET}`)),
    isOfRecord: true,
    shown: /keep-me/,
    right: /keep-me/,
    never: new RegExp(SECRET),
    kept: /keep-me/,
  },
  {
    name: 'a session that is gone (HTTP 404)',
    server: http('httpSessionLost'),
    shown: /\b404\b|session[^\n]{0,40}(?:lost|gone|expired|not found|ended)|sessionLost/i,
    right: /\bdone\b/,
    kept: /\b404\b/,
  },
  {
    name: 'a stream that ends before the answer',
    server: http('httpSseEndsEarly', { how: 'resume' }),
    shown: /\bresumed\b|stream[^\n]{0,40}(?:end|clos|drop|disconnect)/i,
    right: /\bresumed\b/,
    kept: /\bresumed\b/,
  },
  {
    name: 'HTTP 429 with `Retry-After`',
    server: http('httpStatus', { status: '429', retryAfter: '1' }),
    shown: /\b429\b/,
    right: /retry.?after|rate.?limit|too many requests|no more requests/i,
    kept: /try later/,
  },
];
