import type { CopySource } from '../../../../../src/core/export/copyAs/copySource.ts';

/** A successful call of a tool over stdio; `change` makes it another. */
export function sourceOf(change: Partial<CopySource> = {}): CopySource {
  return {
    server: {
      name: 'bookshop',
      transport: { type: 'stdio', command: 'node', args: ['server.js'], env: {} },
      isInMcpJson: true,
    },
    initiator: 'client',
    method: 'tools/call',
    params: { name: 'get_author', arguments: { title: 'Dune' }, _meta: { progressToken: 7 } },
    requestRaw: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_author"}}',
    responseRaw: '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}',
    outcome: 'success',
    result: { content: [{ type: 'text', text: 'Frank Herbert' }] },
    isVolatile: () => false,
    ...change,
  };
}

/** What a server may send to harm whoever pastes, runs or reads it. */
export const HOSTILE: readonly string[] = [
  '',
  ' ',
  "it's",
  "'''",
  `"; echo pwned; "`,
  `'; echo pwned; '`,
  '$(echo pwned)',
  '`echo pwned`',
  '$HOME $' + '{HOME} $((1+1))',
  'a\\b\\\\c\\',
  "\\'",
  '!history !!',
  '*?[a-z]{a,b}~',
  '-rf',
  '--url=http://evil',
  '@/etc/passwd',
  '# comment',
  'line\nfeed\n',
  '\r\n\ttab',
  '\u001b[201~\necho pwned\n',
  '\u0007\u0008\u007f\u0085\u009b31m',
  'gpj.\u202Eexe \u2066x\u2069',
  'zero\u200bwidth\ufeff',
  '\u{e0041}\u{e007f}',
  '日本語 😀 é',
  '%s %n %d \\n',
  '$' + '{env:HOME} $' + '{input:key} $' + '{{ secrets.X }}',
  '*/ // <!-- </script> """ \'\'\'',
  '\u2028\u2029',
];
