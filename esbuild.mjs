// Builds everything under dist/. `--watch` rebuilds on change and keeps the English strings up to date, `--production`
// minifies, `--into=FOLDER` leaves dist/ alone and builds FOLDER/dist; the size budgets hold for every build that ends, and
// fail it, because a slow activation is a defect like any other.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import * as esbuild from 'esbuild';

const isProduction = process.argv.includes('--production');
const isWatch = process.argv.includes('--watch');
/** Where dist/ and what the bundles are made of (out/) go. Paths in them do not depend on it: the bundles are the same. */
const into = process.argv.find((arg) => arg.startsWith('--into='))?.slice('--into='.length) ?? '.';
const dist = path.join(into, 'dist');
const out = path.join(into, 'out');

/** Modules that are heavy and rarely needed: their own bundles, loaded by the first `import()` that asks for them. */
const lazyModules = {
  'sdk-engine': 'src/core/client/sdkEngine.ts',
  'http-wire': 'src/core/transport/httpWire.ts',
  'tree-sitter': 'src/lint/treeSitter.ts',
  'lint-engine': 'src/lint/engine.ts',
  'late-lint': 'src/host/lint/lateLint.ts',
  // Every sentence of core and lint: activation says none of them.
  say: 'src/host/say.ts',
  'late-core': 'src/host/lateCore.ts',
  'late-calls': 'src/host/calls/lateCalls.ts',
  'late-replay': 'src/host/replay/lateReplay.ts',
  'late-servers': 'src/host/servers/lateServers.ts',
  'late-page': 'src/host/timeline/latePage.ts',
  'server-items': 'src/host/servers/serverItems.ts',
  'late-taps': 'src/host/taps/lateTaps.ts',
  'has-taps': 'src/host/taps/hasTaps.ts',
  'timeline-text': 'src/host/timeline/textDocumentContent.ts',
  'pick-row': 'src/host/commands/pickRow.ts',
  'show-in-timeline': 'src/host/commands/showInTimeline.ts',
  'copy-as': 'src/host/copy/copyAs.ts',
  'compare-commands': 'src/host/commands/compareCommands.ts',
  'late-compare': 'src/host/timeline/lateCompare.ts',
  'late-suites': 'src/host/suites/lateSuites.ts',
  'save-suite': 'src/host/suites/saveSuite.ts',
  'serve-mock': 'src/host/mocks/serveMock.ts',
  'late-faults': 'src/host/faults/lateFaults.ts',
  'demo-run': 'src/host/commands/runDemo.ts',
  'late-report': 'src/host/report/lateReport.ts',
  'session-document': 'src/host/sessions/sessionDocument.ts',
  'session-exports': 'src/host/sessions/exportCommands.ts',
  'session-manager': 'src/host/sessions/manageSessions.ts',
  'late-agent': 'src/host/agent/windowSource.ts',
  // Of OpenTelemetry: loaded when a person wants it, and gRPC when its protocol is that.
  'otlp-exporter': 'src/core/export/otlp/exporter.ts',
  'otlp-grpc': 'src/core/export/otlp/grpcTransport.ts',
  'otlp-live': 'src/host/otlp/liveExport.ts',
  'otlp-export': 'src/host/otlp/exportToOtlp.ts',
  'otlp-thread': 'src/host/otlp/otlpThread.ts',
};

/**
 * Bytes, minified. `extension.js` is what activation loads, `webview.js` what the page loads at once, the chunks that it
 * imports statically included; what an `import()` loads does not count.
 */
const budgets = { 'extension.js': 150_000, 'webview.js': 60_000 };

/** As much, of the command line: a tap stands in somebody's way until it has loaded, and needs none of the rest. */
const cliModules = {
  'cli-program': 'src/cli/program.ts',
  tap: 'src/cli/commands/tap.ts',
  'tap-http': 'src/cli/commands/tapHttp.ts',
  'tap-faults': 'src/cli/commands/tapFaults.ts',
  'tap-recorder': 'src/cli/tapRecorder.ts',
  'tap-launcher': 'src/cli/tapLauncher.ts',
  'tap-entry': 'src/cli/tapEntry.ts',
  'tap-export': 'src/cli/tapExport.ts',
  // The MCP SDK, which no other command needs.
  mcp: 'src/cli/commands/mcp.ts',
  'cli-otlp': 'src/cli/otlpExport.ts',
};

const lazyFiles = new Map(
  Object.entries({ ...lazyModules, ...cliModules }).map(([name, file]) => [path.resolve(file), `./${name}.js`]),
);

/** Turns `import('…/lazyModule.ts')` into an import of that module's own bundle. */
const lazyBundles = {
  name: 'lazy-bundles',
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, (args) => {
      if (args.kind !== 'dynamic-import') {
        return undefined;
      }
      const bundle = lazyFiles.get(path.resolve(args.resolveDir, args.path));
      return bundle === undefined ? undefined : { path: bundle, external: true };
    });
  },
};

const shared = {
  bundle: true,
  minify: isProduction,
  sourcemap: !isProduction,
  outdir: dist,
  logLevel: 'warning',
  metafile: true,
  legalComments: 'none',
  charset: 'utf8',
  define: { 'process.env.NODE_ENV': '"production"' },
};
const node = {
  ...shared,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  plugins: [lazyBundles],
  alias: {
    // Its CommonJS side requires its parts in a way that no bundler sees: the bundle would fail when it is loaded.
    'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
    // Its module side asks for `import.meta.url`, which a CommonJS bundle does not have.
    'web-tree-sitter': path.resolve('node_modules/web-tree-sitter/web-tree-sitter.cjs'),
  },
};

const builds = [
  { ...node, entryPoints: { extension: 'src/extension.ts' }, external: ['vscode'] },
  { ...node, entryPoints: { cli: 'src/cli/main.ts' }, banner: { js: '#!/usr/bin/env node' } },
  { ...node, entryPoints: cliModules },
  { ...node, entryPoints: { 'demo-server': 'src/demo/server.ts' } },
  { ...node, entryPoints: lazyModules, external: ['vscode'] },
  {
    ...shared,
    platform: 'browser',
    // Modules, so that `import()` in `webview/` makes a chunk of its own that shares lit-html and the page's own parts.
    // The browser gives an import the nonce of the script that asks for it: the content security policy stays as it is.
    format: 'esm',
    splitting: true,
    chunkNames: 'webview-[name]-[hash]',
    target: 'chrome128',
    entryPoints: { webview: 'webview/main.ts', 'webview-style': 'webview/styles/main.css' },
    loader: { '.ttf': 'file' },
    external: ['*.ttf'],
  },
];

/** Grammars that the lint loads on first use of their language. */
const grammars = ['python', 'typescript', 'tsx', 'go', 'c-sharp', 'java', 'rust', 'php', 'ruby'];

function copyAssets() {
  mkdirSync(dist, { recursive: true });
  const codicons = 'node_modules/@vscode/codicons/dist';
  cpSync(`${codicons}/codicon.ttf`, path.join(dist, 'codicon.ttf'));
  cpSync('node_modules/web-tree-sitter/web-tree-sitter.wasm', path.join(dist, 'web-tree-sitter.wasm'));
  for (const grammar of grammars) {
    const file = `tree-sitter-${grammar}.wasm`;
    cpSync(`node_modules/@vscode/tree-sitter-wasm/wasm/${file}`, path.join(dist, file));
  }
  cpSync(
    'node_modules/@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm',
    path.join(dist, 'tree-sitter-kotlin.wasm'),
  );
}

/** Bytes of an output and of all that it imports statically, as a build's metafile tells. */
function loadedBytes({ outputs }, file, seen = new Set()) {
  const output = outputs[file];
  if (output === undefined || seen.has(file)) {
    return 0;
  }
  seen.add(file);
  return output.imports
    .filter(({ kind }) => kind === 'import-statement')
    .reduce((sum, imported) => sum + loadedBytes({ outputs }, imported.path, seen), output.bytes);
}

/** Checks the budgets against minified sizes, so that a development build fails exactly when the release would. */
async function checkBudgets() {
  const minified = await Promise.all(
    builds.map((options) => esbuild.build({ ...options, minify: true, sourcemap: false, write: false })),
  );
  const failures = [];
  for (const { metafile } of minified) {
    for (const file of Object.keys(metafile.outputs)) {
      const name = path.basename(file);
      const limit = budgets[name];
      if (limit !== undefined) {
        const bytes = loadedBytes(metafile, file);
        process.stderr.write(`${name}: ${bytes} of ${limit} bytes, minified\n`);
        if (bytes > limit) {
          failures.push(`${name} is ${bytes} bytes, ${bytes - limit} over its budget of ${limit}`);
        }
      }
    }
  }
  if (failures.length > 0) {
    throw new Error(failures.join('\n'));
  }
}

let stringsTimer;

/** After each build of the host, once for all bundles: the English strings as the source has them now. */
const hostStrings = {
  name: 'host-strings',
  setup(build) {
    build.onEnd(() => {
      clearTimeout(stringsTimer);
      stringsTimer = setTimeout(() => {
        const quiet = ['MODULE_TYPELESS_PACKAGE_JSON', 'ExperimentalWarning'].map(
          (name) => `--disable-warning=${name}`,
        );
        spawn(process.execPath, [...quiet, 'test/tools/l10n.ts', '--english'], { stdio: 'inherit' });
      }, 200);
    });
  },
};

if (isWatch) {
  // Chunks carry a hash in their name: those of earlier runs would stay.
  rmSync(dist, { recursive: true, force: true });
  copyAssets();
  const contexts = await Promise.all(
    builds.map(({ plugins = [], ...options }) => {
      const isHost = options.external?.includes('vscode') === true;
      return esbuild.context({ ...options, logLevel: 'info', plugins: isHost ? [...plugins, hostStrings] : plugins });
    }),
  );
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  rmSync(dist, { recursive: true, force: true });
  copyAssets();
  const results = await Promise.all(builds.map((options) => esbuild.build(options)));
  mkdirSync(out, { recursive: true });
  results.forEach((result, index) => {
    writeFileSync(path.join(out, `meta-${index}.json`), JSON.stringify(result.metafile));
  });
  for (const name of [
    'extension',
    'webview',
    'cli',
    'demo-server',
    ...Object.keys({ ...lazyModules, ...cliModules }),
  ]) {
    process.stderr.write(`${name}.js ${statSync(path.join(dist, `${name}.js`)).size}\n`);
  }
  await checkBudgets();
}
