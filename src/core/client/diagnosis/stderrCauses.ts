import { withoutColours } from '../../../base/safeText.ts';
import type { TextArgs } from '../../../base/text.ts';

/** What runtimes, package runners and servers write to stderr when they cannot start; the surest first. */
interface StderrCause {
  readonly code: string;
  readonly patterns: readonly RegExp[];
  /** Names for the groups of the pattern that matched, in their order. */
  readonly args?: readonly string[];
}

/** Wherever a variable's name stands, between words that say that it is wanted. */
const WANTED =
  '[Rr]equired|REQUIRED|[Mm]issing|MISSING|not set|[Uu]nset|must be set|must be provided|not provided|not defined|not found|undefined|[Pp]lease (?:set|provide)|need to set|no value|empty';
const VARIABLE = '([A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){1,8})';

const CAUSES: readonly StderrCause[] = [
  {
    code: 'start.npmNotFound',
    args: ['package'],
    patterns: [
      /npm (?:error|ERR!) 404 +'([^']{1,214})' is not in this registry/,
      /npm (?:error|ERR!) 404 Not Found - GET \S{0,200}\/([^/\s]{1,214})/,
      /npm (?:error|ERR!) code (E404)\b/,
    ],
  },
  { code: 'start.npmNoVersion', args: ['package'], patterns: [/No matching version found for (\S{1,214}?)\.?$/] },
  {
    code: 'start.npmOffline',
    args: ['code'],
    patterns: [/npm (?:error|ERR!) code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED)\b/],
  },
  { code: 'start.noBinary', patterns: [/npm (?:error|ERR!) could not determine executable to run/] },
  {
    code: 'start.uvNotFound',
    args: ['package'],
    patterns: [
      /Because (\S{1,100}) was not found in the (?:package registry|cache|provided)/,
      /No solution found when resolving (?:tool )?(dependencies)/,
    ],
  },
  {
    code: 'start.noBinary',
    patterns: [/An executable named `[^`]{1,100}` is not provided by package/],
  },
  {
    code: 'start.pythonModule',
    args: ['module'],
    patterns: [
      /ModuleNotFoundError: No module named '([^']{1,200})'/,
      /: No module named '?([\w.]{1,200})'?$/,
      /Error while finding module specification for '([^']{1,200})'/,
    ],
  },
  { code: 'start.pythonImport', args: ['name'], patterns: [/ImportError: cannot import name '([^']{1,200})'/] },
  {
    code: 'start.noScript',
    args: ['file'],
    patterns: [
      /can't open file '([^']{1,1000})': \[Errno 2\]/,
      /Cannot find module '((?:\/|[A-Za-z]:\\)[^']{1,1000})'$/,
      /Error: Unable to access jarfile (\S{1,1000})/,
    ],
  },
  {
    code: 'start.nodeModule',
    args: ['module'],
    patterns: [
      /Cannot find (?:module|package) '([^'/][^']{0,300})'/,
      /Could not resolve "([^"]{1,300})"/,
      /Cannot find (?:module|package) '([^']{1,1000})' imported from/,
    ],
  },
  {
    code: 'start.nodeTypeScript',
    patterns: [/ERR_UNKNOWN_FILE_EXTENSION.{0,20}"?\.tsx?/, /Unknown file extension "\.tsx?"/],
  },
  {
    code: 'start.nodeVersion',
    args: ['what'],
    patterns: [
      /\b(NODE_MODULE_VERSION \d{1,4})\b/,
      /compiled against a different (Node\.js version)/,
      /No such built-in module: (node:\w{1,40})/,
      /ReferenceError: (File|fetch|Headers|Response|ReadableStream|CustomEvent|WebSocket|crypto|structuredClone) is not defined/,
      /(?:requires|need|upgrade to|minimum) (Node(?:\.js)? ?(?:version )?[v><=^~ ]{0,4}\d[\d.]{0,10})/i,
      /(?:EBADENGINE Unsupported engine|The engine "(node)" is incompatible)/,
    ],
  },
  {
    code: 'start.nativeModule',
    patterns: [/ERR_DLOPEN_FAILED/, /invalid ELF header/, /Could not locate the bindings file/, /Could not load the "/],
  },
  {
    code: 'start.nodeModuleSystem',
    patterns: [
      /Cannot use import statement outside a module/,
      /ERR_REQUIRE_ESM/,
      /require is not defined in ES module scope/,
    ],
  },
  { code: 'start.syntaxError', args: ['problem'], patterns: [/^\s{0,8}((?:Syntax|Indentation)Error: .{1,200})/] },
  {
    code: 'start.javaVersion',
    patterns: [/UnsupportedClassVersionError/],
  },
  {
    code: 'start.portInUse',
    args: ['address'],
    patterns: [
      /EADDRINUSE: address already in use (\S{1,100})/,
      /address already in use[^\d]{0,40}(\d{2,5})?/i,
      /port (\d{2,5}) is (?:already )?in use/i,
    ],
  },
  { code: 'start.dockerDown', patterns: [/Cannot connect to the Docker daemon/, /docker daemon is not running/i] },
  {
    code: 'start.dockerImage',
    args: ['image'],
    patterns: [
      /pull access denied for (\S{1,200}?),/,
      /manifest for (\S{1,200}) not found/,
      /Unable to find image '([^']{1,200})'/,
    ],
  },
  {
    code: 'start.missingVariable',
    args: ['variable'],
    patterns: [
      new RegExp(`KeyError: '${VARIABLE}'`),
      new RegExp(`\\b${VARIABLE}\\b.{0,80}\\b(?:${WANTED})\\b`),
      new RegExp(`\\b(?:${WANTED})\\b.{0,80}?\\b${VARIABLE}\\b`, ''),
    ],
  },
  {
    code: 'start.missingKey',
    args: ['line'],
    patterns: [
      new RegExp(
        `^(.{0,200}\\b(?:api[ _-]?key|access[ _-]?token|credentials?|secret)\\b.{0,80}\\b(?:${WANTED}|invalid)\\b.{0,100})`,
        'i',
      ),
      new RegExp(
        `^(.{0,200}\\b(?:${WANTED}|invalid)\\b.{0,80}\\b(?:api[ _-]?key|access[ _-]?token|credentials?)\\b.{0,100})`,
        'i',
      ),
    ],
  },
  {
    code: 'start.shellNotFound',
    args: ['command'],
    patterns: [
      /(?:^|: )([\w.@/+-]{1,200}): (?:command )?not found$/,
      /'([^']{1,200})' is not recognized as an internal or external command/,
      /exec: "([^"]{1,200})": executable file not found/,
      /env: '?([^':]{1,200})'?: No such file or directory/,
    ],
  },
  {
    code: 'start.outOfMemory',
    patterns: [/JavaScript heap out of memory/, /^\s{0,8}MemoryError\b/, /Cannot allocate memory/],
  },
  {
    code: 'start.dependencyRefused',
    args: ['address'],
    patterns: [/ECONNREFUSED (\S{1,100})/, /Connection refused.{0,40}?((?:\d{1,3}\.){3}\d{1,3}:\d{2,5}|port \d{2,5})/i],
  },
  {
    code: 'start.permission',
    args: ['file'],
    patterns: [
      /EACCES: permission denied, \w{1,20} '([^']{1,1000})'/,
      /PermissionError: \[Errno 13\] Permission denied: '([^']{1,1000})'/,
      /EPERM: operation not permitted, \w{1,20} '([^']{1,1000})'/,
    ],
  },
];

/** The surest cause that these lines name; `undefined` when they name none. Linear in the lines. */
export function causeOnStderr(
  lines: readonly string[],
): { readonly code: string; readonly args: TextArgs } | undefined {
  const plain = lines.map(plainLine);
  for (const { code, patterns, args = [] } of CAUSES) {
    for (const pattern of patterns) {
      for (const line of plain) {
        const match = pattern.exec(line);
        if (match !== null) {
          return { code, args: Object.fromEntries(args.map((name, index) => [name, match[index + 1] ?? ''])) };
        }
      }
    }
  }
  return undefined;
}

/** A line as a person sees it: without colours and trailing blanks, at most 2,000 characters of it. */
export function plainLine(line: string): string {
  return withoutColours(line.slice(0, 2000)).trimEnd();
}
