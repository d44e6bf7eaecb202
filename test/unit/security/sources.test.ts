import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, sourceFiles } from './support/ownPatterns.ts';

const files = [...sourceFiles('src'), ...sourceFiles('webview')];
const sourceOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
/** Without comments, roughly: what stands behind `//` or in a docstring starts nothing. */
const codeOf = (file: string) => sourceOf(file).replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');

/** What a file calls of the module that starts processes, whoever it is imported from. */
const STARTS = /(?<![\w.])(?:exec|execSync|execFile|execFileSync|spawn|spawnSync|fork)\(/g;

/** Files that start a process, by what, and why nothing in it is read by a shell. */
const STARTERS: Readonly<Record<string, readonly string[]>> = {
  // The demo, by VS Code's own executable.
  'src/cli/demoHttp.ts': ['spawn('],
  'src/host/commands/runDemo.ts': ['spawn('],
  // The server behind a tap whose extension is gone; words as they were given.
  'src/cli/tapLauncher.ts': ['spawn('],
  // `--version` of a runtime that was found by its path.
  'src/host/taps/runtimes.ts': ['execFile('],
  // Our own command line, as a listener.
  'src/host/taps/httpListeners.ts': ['fork('],
  // The server that a definition names; words as they stand in it.
  'src/core/transport/serverProcess.ts': ['spawn('],
  // `taskkill` with a number.
  'src/core/transport/processGroup.ts': ['spawn('],
  // The server behind a tap; words as they were given.
  'src/core/passthrough/stdioTap.ts': ['spawn('],
};

describe('processes', () => {
  it('are started in the files that are known to, each by a list of words', () => {
    const importing = files.filter((file) => /from '(?:node:)?child_process'|from 'cross-spawn'/.test(codeOf(file)));
    const found = importing.map((file) => [file, codeOf(file).match(STARTS) ?? []] as const);
    expect(Object.fromEntries(found.filter(([, calls]) => calls.length > 0))).toEqual(STARTERS);
    const elsewhere = files.filter((file) => /(?:import|require)\(\s*['"](?:node:)?child_process/.test(codeOf(file)));
    expect(elsewhere).toEqual([]);
  });

  it('are never started through a shell', () => {
    const shells = files.filter((file) => /\bshell:(?!\s*false\b)/.test(codeOf(file).replaceAll(/'[^'\n]*'/g, "''")));
    expect(shells).toEqual([]);
    // A command line is made for a person to read or to send to a terminal that is open before him, and nowhere else.
    expect(files.filter((file) => /\.sendText\(|createTerminal\(/.test(codeOf(file)))).toEqual([]);
  });
});

describe('listeners', () => {
  /** Each listener with the address that it takes: a constant, or an option that its caller has checked. */
  const LISTENERS: Readonly<Record<string, string>> = {
    'src/core/mock/httpMock.ts': 'options.port, options.host, resolve',
    'src/core/passthrough/httpTap.ts': 'options.port, options.host, resolve',
    'src/core/transport/loopbackRedirect.ts': 'port, HOST, ',
    'src/demo/httpServer.ts': "port, '127.0.0.1', resolve",
    'src/host/taps/tapEntry.ts': "port, '127.0.0.1', ",
  };

  it('name the address that they listen at, so that none is open to a network by default', () => {
    const found = files.flatMap((file) => {
      const [, taken] = /\bserver\.listen\(([^)]*?)(?:\)|\(\))/.exec(codeOf(file)) ?? [];
      return taken === undefined ? [] : [[file, taken] as const];
    });
    expect(Object.fromEntries(found)).toEqual(LISTENERS);
    const all = files.flatMap((file) => codeOf(file).match(/\bserver\.listen\(/g) ?? []);
    expect(all).toHaveLength(found.length);
  });
});

describe('secrets', () => {
  it('are compared by one function alone, which is of constant time', () => {
    expect(files.filter((file) => /timingSafeEqual\(/.test(codeOf(file)))).toEqual([
      'src/core/transport/sameSecret.ts',
    ]);
    const plain = files.filter((file) =>
      /\b(?:token|secret|password)\w* ?[!=]== ?(?!undefined|null|true|false)\w/i.test(codeOf(file)),
    );
    // A progress token is a number of the protocol, and a kind of token is no token.
    expect(plain.filter((file) => !/progressToken|kind/i.test(sourceOf(file)))).toEqual([]);
  });
});

describe('text of others', () => {
  it('is given to no function that would take it for a program or for HTML', () => {
    const taking =
      /\beval\(|new Function\(|\.innerHTML\b|\.outerHTML\b|insertAdjacentHTML|unsafeHTML|unsafeSVG|document\.write/;
    expect(files.filter((file) => taking.test(codeOf(file)))).toEqual([]);
  });

  it('is trusted as Markdown with one command alone, and with no HTML', () => {
    const trusting = files.flatMap((file) => codeOf(file).match(/(?:isTrusted = |supportHtml).*/g) ?? []);
    expect(new Set(trusting)).toEqual(new Set(["isTrusted = { enabledCommands: ['faultline.openTimeline'] };"]));
  });
});
