/**
 * Who may import whom: the first pattern that matches the importing file's folder decides. `src/…` entries name folders,
 * `node` stands for every `node:` module, the rest are npm packages. `types` entries may be imported as types only.
 * `lazy` entries only by a dynamic import, or from a module that is its own bundle.
 */
export interface ImportRule {
  readonly from: string;
  readonly may: readonly string[];
  readonly types?: readonly string[];
}

const words = ['src/base', 'src/protocol'];
const core = [
  'src/core/jsonc',
  'src/core/transport',
  'src/core/client',
  'src/core/resilience',
  'src/core/log',
  'src/core/classify',
  'src/core/timeline',
  'src/core/replay',
  'src/core/passthrough',
  'src/core/report',
  'src/core/agent',
  'src/core/export',
  'src/core/mock',
];

export const importRules: readonly ImportRule[] = [
  { from: 'src/base', may: [] },
  { from: 'src/protocol', may: ['src/base', 'zod'] },
  {
    from: 'src/core/transport',
    may: [...words, 'node', 'undici', 'eventsource-parser', 'cross-spawn'],
    types: ['@modelcontextprotocol/client'],
  },
  { from: 'src/core/jsonc', may: [...words, 'jsonc-parser'], types: ['zod'] },
  { from: 'src/core/client/envFile.ts', may: ['node'] },
  {
    from: 'src/core/client',
    may: [
      ...words,
      'src/core/jsonc',
      'src/core/transport',
      'src/core/resilience',
      '@modelcontextprotocol/client',
      'jsonc-parser',
      'zod',
    ],
  },
  { from: 'src/core/resilience', may: [...words, 'cockatiel'] },
  { from: 'src/core/log', may: [...words, 'node'] },
  { from: 'src/core/classify', may: words },
  { from: 'src/core/timeline', may: words },
  {
    from: 'src/core/report',
    may: [
      ...words,
      'src/core/classify',
      'src/core/timeline',
      'src/core/replay/resultDiff.ts',
      'src/core/export/htmlText.ts',
      'src/core/export/outcomeShapes.ts',
    ],
  },
  { from: 'src/core/replay/suites/suiteFolder.ts', may: ['src/base', 'src/core/replay', 'node'] },
  {
    from: 'src/core/replay',
    may: [...words, 'src/core/jsonc', 'src/core/client', 'src/core/resilience', 'jsondiffpatch', 'jsonc-parser', 'zod'],
  },
  {
    from: 'src/core/passthrough',
    may: [
      ...words,
      'src/core/jsonc',
      'src/core/transport',
      'src/core/log',
      'node',
      'undici',
      'eventsource-parser',
      'cross-spawn',
      'jsonc-parser',
      'zod',
      'write-file-atomic',
    ],
  },
  {
    from: 'src/core/agent',
    may: [...words, 'src/core/timeline', 'src/core/report/englishVoice.ts', 'node', 'zod'],
    types: ['src/core/report/reportWords.ts'],
  },
  {
    from: 'src/core/mock',
    may: [
      ...words,
      'src/core/transport',
      'src/core/classify',
      'src/core/replay',
      'src/core/passthrough',
      'node',
      'jsonc-parser',
    ],
  },
  {
    from: 'src/core/export',
    may: [...words, 'src/core/transport/retryAfter.ts', 'node', '@opentelemetry', '@grpc/grpc-js'],
  },
  { from: 'src/lint', may: ['src/base', 'src/protocol/finding.ts', 'web-tree-sitter', 'ignore'] },
  { from: 'src/demo', may: [...words, 'node', '@modelcontextprotocol/sdk', 'zod'] },
  {
    from: 'src/host',
    may: [...words, ...core, 'src/lint', 'src/demo/script.ts', 'vscode', 'node', 'date-fns', 'jsonc-parser', 'zod'],
  },
  { from: 'src/extension.ts', may: [...words, 'src/host', 'vscode'] },
  {
    from: 'src/cli',
    may: [
      ...words,
      ...core,
      'src/lint',
      'src/demo/script.ts',
      'node',
      'date-fns',
      'commander',
      '@modelcontextprotocol/sdk',
      'cross-spawn',
      'jsonc-parser',
      'zod',
    ],
  },
  { from: 'webview', may: ['lit-html', 'date-fns'], types: ['src/protocol'] },
];
