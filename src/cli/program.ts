import process from 'node:process';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { messageOf } from '../base/messageOf.ts';
import { OUTCOME_KINDS } from '../protocol/outcome.ts';
import { VERSION } from '../protocol/version.ts';
import type { SessionChange } from './commands/sessions.ts';
import { TAP_USAGE } from './commands/tapUsage.ts';
import { exitCodes } from './exitCodes.ts';
import { processTerminal, type Terminal } from './terminal.ts';

/** Runs the command line `argv` of this process and sets its exit code. Never rejects. */
export async function run(argv: readonly string[]): Promise<void> {
  const terminal = processTerminal();
  try {
    const { own, commandWords } = splitAtDashes(argv);
    await createProgram(terminal, commandWords).parseAsync(own);
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help and version end this way too, and they have succeeded.
      process.exitCode = error.exitCode === 0 ? exitCodes.clean : exitCodes.failed;
    } else {
      terminal.err(`faultline: ${messageOf(error)}\n`);
      process.exitCode = exitCodes.failed;
    }
  }
}

/** The commands; each loads its own code when it is called. `commandWords`: those of a server that is to be started. */
export function createProgram(terminal: Terminal, commandWords: readonly string[] | undefined): Command {
  const program = new Command('faultline')
    .description('See what became of MCP calls and why, and find the tools that hide their failures.')
    .version(VERSION)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true });

  program
    .command('lint')
    .description(
      'find tools that pass failures off as successes (exit 0 clean or hints alone, 1 findings, 2 could not run)',
    )
    .argument('[paths...]', 'files and folders', ['.'])
    .addOption(format('text', 'json', 'sarif', 'github'))
    .addOption(
      new Option(
        '--confidence <level>',
        'least certain findings shown; default what the configuration says, or medium',
      ).choices(['low', 'medium', 'high']),
    )
    .option('--max-warnings <n>', 'tolerate up to this many warnings; errors never, notes always', wholeNumber)
    .option('--fix', 'mend what can be mended safely, and print the rest')
    .option('--fix-dry-run', 'mend nothing, and print what would be left')
    .option('--stdin', 'lint stdin; with --fix the mended text goes to stdout and the report to stderr')
    .option('--stdin-filename <file>', 'what stdin is a file of: tells its language, its imports and its configuration')
    .option(
      '--evidence <session>',
      "count the silent errors of a recording on the findings, and tell of tools that have no other: a session of the extension's log, all of it (log), or a log or session file",
    )
    .action(async (paths, options) => {
      const { lint } = await import('./commands/lint.ts');
      process.exitCode = await lint(paths, options, terminal);
    });

  program
    .command('call')
    .description(
      'call a tool, read a resource or get a prompt, and tell what became of it and why (exit 0 success or still open, 1 failed, 2 not called)',
    )
    .argument(
      '[words...]',
      'SERVER TOOL [JSON], the server of any client that is configured here; TOOL [JSON] where an option names the server',
    )
    .option('--server <name>', 'the server, by its name or <source>:<name>')
    .option('--config <file>', 'look the server up in this file only, of whichever client it is')
    .option('--command <line>', 'start this server over stdio; or write its words behind --')
    .option('--url <url>', 'speak to this server over Streamable HTTP, or HTTP+SSE where that is what it speaks')
    .option('--header <line>', '"Name: value", sent with every request to --url', several)
    .option('--sse', 'the --url is of HTTP+SSE (2024-11-05)')
    .option('--input <id=value>', 'answer to an input of the configuration', several)
    .option('--resource <uri>', 'read this resource instead of calling a tool')
    .option('--prompt <name>', 'get this prompt instead of calling a tool')
    .option('--list', 'print the tools, resources and prompts of the server instead of calling one')
    .option('--sign-in', 'sign in to a server that asks for it; default when there is a person at the terminal')
    .option('--no-sign-in', 'use sign-ins that are kept, and ask nobody')
    .option('--timeout-ms <n>', 'give an attempt up after this long without a sign', wholeNumber)
    .option('--connect-timeout-ms <n>', 'give connecting up after this long', wholeNumber)
    .option('--max-attempts <n>', 'attempts at most, the first one included', wholeNumber)
    .option(
      '--faults <file>',
      'inject the faults of this *.faultline-faults.json, or of this profile, see docs/faults.md',
    )
    .option('--seed <n>', 'which of the calls meet the faults')
    .option('--trust', 'believe the annotations of the server when deciding what may be repeated', false)
    .option('--log <file>', 'record every event in this SQLite file')
    .addOption(format('text', 'json'))
    .action(async (words, options) => {
      const { call } = await import('./commands/call.ts');
      const given = commandWords === undefined ? options : { ...options, commandWords };
      process.exitCode = await call(words, given, terminal);
    });

  program
    .command('test')
    .description(
      'run suites of recorded calls against servers of their own (exit 0 all as expected, 1 not, 2 could not be run)',
    )
    .argument('<suites...>', 'suite files, and folders with *.faultline-suite.json in them')
    .addOption(
      new Option('--reporter <format>', 'how to print').choices(['text', 'tap', 'junit', 'json']).default('text'),
    )
    .option('-o, --output <file>', 'file to write the report to; default stdout')
    .option('--filter <text>', 'only cases whose name contains this')
    .option('--update', 'record again: cases that fail expect from now on what came of them', false)
    .option('--bail', 'stop at the first failure', false)
    .option('--repeat <n>', 'run everything this often, each time with a new server', wholeNumber)
    .option('--config <file>', 'look servers that are named up in this file only, of whichever client it is')
    .option('--input <id=value>', 'answer to an input of the configuration', several)
    .option('--trust', 'believe the annotations of the servers when deciding what may be sent', false)
    .option('--log <file>', 'record every event in this SQLite file')
    .action(async (suites, options) => {
      const { test } = await import('./commands/test.ts');
      process.exitCode = await test(suites, options, terminal);
    });

  program
    .command('tap')
    .description('stand between a client and its server, forward every byte, and record what passes')
    .usage('[options] -- COMMAND [ARGS...]')
    .argument('[words...]')
    .allowUnknownOption()
    .configureHelp({ formatHelp: () => TAP_USAGE })
    .action(async () => {
      // Reached only when something stands before the word; `main.ts` looks for it first.
      const { tap } = await import('./commands/tap.ts');
      await tap(process.argv.slice(process.argv.indexOf('tap') + 1));
    });

  program
    .command('untap')
    .description(
      "list the taps that the extension put into clients' configurations, or take them out (exit 0 done, 2 not all)",
    )
    .argument('[taps...]', 'ids or names of servers; without any, the taps are listed')
    .option('--all', 'take every tap out', false)
    .option('--config <file>', 'look into this configuration as well', several)
    .action(async (taps, options) => {
      const { untap } = await import('./commands/untap.ts');
      process.exitCode = await untap(taps, options, terminal);
    });

  program
    .command('explain')
    .description('judge recorded exchanges, one JSON object a line (exit 0 judged, 2 some line was not one)')
    .argument('[file]', 'file, or - for stdin', '-')
    .addOption(format('text', 'json'))
    .action(async (file, options) => {
      const { explain } = await import('./commands/explain.ts');
      process.exitCode = await explain(file, options, terminal);
    });

  program
    .command('demo')
    .description('play a scripted agent against the demo servers (exit 0 all as foreseen, 1 not)')
    .option('--log <file>', 'record every event in this SQLite file')
    .addOption(format('text', 'json'))
    .action(async (options) => {
      const { demo } = await import('./commands/demo.ts');
      process.exitCode = await demo(options, terminal);
    });

  addRecordedCommands(program, terminal, commandWords);
  return program;
}

/** The commands on what was recorded: a log, the extension's own by default, or a session file. */
function addRecordedCommands(program: Command, terminal: Terminal, commandWords: readonly string[] | undefined): void {
  const log = () => new Option('--log <file>', "log or session file; default the extension's log for this folder");
  const filter = () => new Option('--filter <expr>', 'only exchanges that pass, in the language of docs/filter.md');
  const outcomes = () => new Option('--outcome <kinds...>', 'only exchanges that ended so').choices(OUTCOME_KINDS);

  program
    .command('show')
    .description('print what recorded events project to, one exchange a line (exit 0 printed, 2 something unreadable)')
    .argument('[session]', 'id, beginning of an id, or name of a session; or a log or session file')
    .option('--rebuild', 'read every message anew from its raw text', false)
    .addOption(filter())
    .addOption(outcomes())
    .addOption(log())
    .addOption(format('text', 'json'))
    .action(async (session, options) => {
      const { show } = await import('./commands/show.ts');
      process.exitCode = await show(session, options, terminal);
    });

  program
    .command('export')
    .description(
      'write recorded events as a session file, as HAR, or as a bug report (exit 0 written, 2 not or not all)',
    )
    .argument('[session]', 'id, beginning of an id, or name of a session; or a log or session file; default all')
    .addOption(format('jsonl', 'har', 'bug-report'))
    .option('-o, --output <file>', 'file to write; default stdout')
    .option('--redact', 'replace secrets once more, by the rules of this version', false)
    .option(
      '--otlp',
      'export to OpenTelemetry instead; the options below stand before the variables OTEL_EXPORTER_OTLP_…',
    )
    .option('--otlp-endpoint <url>', 'the collector; default http://localhost:4318')
    .addOption(
      new Option('--otlp-protocol <name>', 'default http/protobuf').choices(['http/protobuf', 'http/json', 'grpc']),
    )
    .option('--otlp-header <line>', '"Name: value", sent with every request', several)
    .addOption(new Option('--otlp-compression <name>', 'default gzip').choices(['gzip', 'none']))
    .option('--otlp-timeout-ms <n>', 'give a request up after this long', wholeNumber)
    .option('--otlp-ca <file>', 'trust these certificate authorities, PEM')
    .option('--otlp-cert <file>', 'certificate of this client, PEM')
    .option('--otlp-key <file>', 'its key, PEM')
    .option('--otlp-content', 'arguments and results of tools as well, secrets replaced')
    .option('--no-otlp-metrics', 'spans alone')
    .addOption(filter())
    .addOption(outcomes())
    .addOption(log())
    .action(async (session, options) => {
      const { exportRecorded } = await import('./commands/export.ts');
      process.exitCode = await exportRecorded(session, options, terminal);
    });

  program
    .command('replay')
    .description(
      'send recorded calls again and compare what becomes of them (exit 0 all as good or better, 1 one worse or to no end, 2 nothing sent)',
    )
    .argument('[session]', 'id, beginning of an id, or name of a session; or a log or session file; default all')
    .addOption(filter())
    .addOption(outcomes())
    .option(
      '--policy <policy>',
      'configured, none, gentle or persistent, and settings such as attempts=5,base=500ms,repeat=timeout|tool_error',
      'configured',
    )
    .option('--server <name>', 'send to this server instead of the one of the recorded name')
    .option('--config <file>', 'look servers up in this file only, of whichever client it is')
    .option('--command <line>', 'send to this server over stdio; or write its words behind --')
    .option('--url <url>', 'send to this server over Streamable HTTP, or HTTP+SSE where that is what it speaks')
    .option('--header <line>', '"Name: value", sent with every request to --url', several)
    .option('--sse', 'the --url is of HTTP+SSE (2024-11-05)')
    .option('--input <id=value>', 'answer to an input of the configuration', several)
    .option('--fresh', 'start a server of its own for each call, and stop it after', false)
    .option('--dry-run', 'say what would be sent, to whom, and why not; start and contact nothing', false)
    .option('--yes-unsafe', 'send also what is not known to be safe to repeat', false)
    .option('--trust', 'believe the annotations of the server when deciding what is safe', false)
    .option('--sign-in', 'sign in to a server that asks for it; default when there is a person at the terminal')
    .option('--no-sign-in', 'use sign-ins that are kept, and ask nobody')
    .option('--record <file>', 'record the replays in this SQLite file, which may be the log of the originals')
    .addOption(log())
    .addOption(format('text', 'json'))
    .option('--json', 'the same as --format json')
    .action(async (session, options) => {
      const { replay } = await import('./commands/replay.ts');
      const given = commandWords === undefined ? options : { ...options, commandWords };
      process.exitCode = await replay(session, given, terminal);
    });

  program
    .command('mock')
    .description('serve a recorded session as the server that was recorded (exit 0 served to the end, 2 could not be)')
    .argument('[session]', 'id, beginning of an id, or name of a session; or a log or session file; default all')
    .option('--server <name>', 'which of the recorded servers, by its name or id')
    .option('--listen <address>', 'serve Streamable HTTP here, such as 127.0.0.1:8765; default stdio')
    .option('--delays <delays>', 'recorded, none, or what recorded waits are multiplied by', 'recorded')
    .addOption(log())
    .action(async (session, options) => {
      const { mock } = await import('./commands/mock.ts');
      process.exitCode = await mock(session, options, terminal);
    });

  program
    .command('report')
    .description(
      'say what failed by tool, what agents made of it and what to mend first (exit 0 written, 2 not or not all)',
    )
    .argument('[session]', 'id, beginning of an id, or name of a session; or a log or session file; default all')
    .addOption(filter())
    .option('--since <moment>', 'only calls from then on: 7d, 2h, 2026-01-31, 2026-01-31T14:00')
    .option(
      '--compare <sides...>',
      'two of them: sessions, session files, periods (14d..7d, 2026-01-31..) or reports written as JSON',
    )
    .option('--source <folder>', 'where to look for the source of tools that fail silently; default this folder')
    .option('--no-source', 'do not look for it')
    .addOption(log())
    .addOption(
      new Option('--format <format>', 'default by the name of the output file, or md').choices(['md', 'html', 'json']),
    )
    .option('-o, --output <file>', 'file to write; default stdout')
    .action(async (session, options) => {
      const { report } = await import('./commands/report.ts');
      process.exitCode = await report(session, options, terminal);
    });

  program
    .command('mcp')
    .description(
      'serve what is recorded to a coding agent as an MCP server over stdio, read-only and redacted (exit 0 closed, 2 could not begin)',
    )
    .argument('[session]', 'id, beginning of an id, or name of a session; or a log or session file; default all')
    .addOption(log())
    .option('--source <folder>', 'whose source is linted for the agent', '.')
    .action(async (session, options) => {
      const { mcp } = await import('./commands/mcp.ts');
      process.exitCode = await mcp(session, options, terminal);
    });

  const sessions = program
    .command('sessions')
    .description('list what is recorded, or change it (exit 0 done, 2 not, or something unreadable)')
    .addOption(log())
    .addOption(format('text', 'json'))
    .action(async (options) => {
      const { listSessions } = await import('./commands/sessions.ts');
      process.exitCode = await listSessions(options, terminal);
    });
  const change = async (session: string, wanted: SessionChange) => {
    const { changeSession } = await import('./commands/sessions.ts');
    process.exitCode = await changeSession(session, wanted, sessions.opts(), terminal);
  };
  sessions
    .command('name')
    .description('name a session; an empty name takes its name away')
    .argument('<session>')
    .argument('<name>')
    .action((session, name) => change(session, { kind: 'name', name }));
  for (const [kind, does] of [
    ['pin', 'keep a session whatever the limits of the log'],
    ['unpin', 'let a session go when the log reaches its limits'],
    ['delete', 'delete a session for good'],
  ] as const) {
    sessions
      .command(kind)
      .description(does)
      .argument('<session>', 'id, beginning of an id, or name')
      .action((session) => change(session, { kind }));
  }
}

/** The words of `argv` and, of `call` and `replay`, those behind `--`: the command line of a server, which is not ours to read. */
function splitAtDashes(argv: readonly string[]) {
  const dashes = argv[2] === 'call' || argv[2] === 'replay' ? argv.indexOf('--') : -1;
  return dashes < 0 ? { own: argv } : { own: argv.slice(0, dashes), commandWords: argv.slice(dashes + 1) };
}

function several(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function format(...choices: readonly [string, ...string[]]): Option {
  return new Option('--format <format>', 'how to print').choices(choices).default(choices[0]);
}

function wholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) {
    throw new InvalidArgumentError('It must be a whole number.');
  }
  return Number(value);
}
