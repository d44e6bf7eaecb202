import { commandsOnPage, ENVIRONMENT, EXIT_STATUS, FILES, helpOf } from './commandLine.ts';
import { cell, table } from './markdown.ts';

/** Where more is said of a command, by its name. */
const MORE: Readonly<Record<string, string>> = {
  'faultline lint': 'Which files, what is safe to fix, GitHub Actions and pre-commit: [lint-ci.md](lint-ci.md).',
  'faultline call': 'Where a server is looked up, and why one does not start: [servers.md](servers.md).',
  'faultline test': 'What a suite is, and when a case passes: [suites.md](suites.md).',
  'faultline tap': 'What is forwarded, recorded and rewritten: [tap.md](tap.md).',
  'faultline untap': "What the edit of a client's file is: [tap.md](tap.md#from-the-editor).",
  'faultline explain': 'The outcomes: [outcomes.md](outcomes.md).',
  'faultline show': 'The language of `--filter`: [filter.md](filter.md).',
  'faultline export': 'Session files: [session-format.md](session-format.md). OpenTelemetry: [otel.md](otel.md).',
  'faultline replay': 'What is never sent without a yes: [replay.md](replay.md).',
  'faultline mock': 'How a request finds its recorded answer: [mock.md](mock.md).',
  'faultline report': 'What a report claims, and of what it is made: [report.md](report.md).',
  'faultline mcp': 'The tools that an agent gets: [agents.md](agents.md).',
};

/** The page of the command line: the help of every command as it is printed. */
export function cliPage(): string {
  const [program, ...commands] = commandsOnPage();
  const section = ({ name, command }: (typeof commands)[number]) =>
    [`## ${name}`, '', '```text', helpOf(command), '```', ...(MORE[name] === undefined ? [] : ['', MORE[name]])].join(
      '\n',
    );
  const code = (rows: readonly (readonly [string, string])[]) =>
    rows.map(([name, meaning]) => [`\`${name}\``, cell(meaning)]);
  return `# The command line

<!-- Written by \`npm run docs\` from the help of every command. -->

\`faultline\` does without an editor what the extension does in one. It needs Node.js 22.13 or later. In a checkout it is
\`node dist/cli.js\`. There is a manual page: \`man -l docs/faultline.1\`.

\`\`\`text
${program === undefined ? '' : helpOf(program.command)}
\`\`\`

SERVER is the name of a server that any client has configured here; it may be told from others of its name by \`<source>:<name>\`.
SESSION is the id of a recorded session, the beginning of one, its name, or a file: a log or a session file.

${commands.map(section).join('\n\n')}

## Exit status

${table(['code', 'meaning'], code(EXIT_STATUS))}

## Environment

${table(['variable', 'meaning'], code(ENVIRONMENT))}

## Files

${table(['file', 'meaning'], code(FILES))}

On macOS the state folder is \`~/Library/Application Support/Faultline\`, on Windows \`%LOCALAPPDATA%\\Faultline\`.
`;
}
