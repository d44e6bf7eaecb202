import type { CommandId } from '../../../src/host/contributions.ts';

/** A section of docs/commands.md. */
export interface CommandGroup {
  readonly title: string;
  /** Where more is said. */
  readonly more: string;
  /** What each does, in a sentence, in the order of the page. */
  readonly commands: Partial<Record<CommandId, string>>;
}

/** What the manifest cannot say: what each command does. A test asks for every command to be in one group. */
export const commandGroups: readonly CommandGroup[] = [
  {
    title: 'Begin',
    more: 'The demo, step by step: [README](../README.md#try-it).',
    commands: {
      'faultline.runDemo':
        'Starts the two demo servers and plays a scripted agent against them, so that every outcome is seen once.',
      'faultline.reportDebugInformation':
        'Opens a document with versions, settings, servers and the end of the log, for a bug report. It holds no message, no argument and no value of a variable.',
    },
  },
  {
    title: 'Servers',
    more: 'Where servers come from and how they are started: [servers.md](servers.md).',
    commands: {
      'faultline.connectServer': 'Starts a server, or contacts it, and shakes hands. Says why when it does not work.',
      'faultline.connectAll': 'The same for every server that is listed.',
      'faultline.disconnectServer': 'Ends the connection, and the process with it.',
      'faultline.restartServer': 'Ends the connection and makes it anew.',
      'faultline.setSecret': `Keeps a value in the secret storage of VS Code, for \`\${secret:name}\` in a definition.`,
      'faultline.signOut': 'Forgets how you signed in to a server, and disconnects it; the next connection asks again.',
      'faultline.callTool': "Asks for arguments by the tool's schema and calls it.",
      'faultline.readResource': 'Reads a resource of a server.',
      'faultline.getPrompt': 'Asks for the arguments of a prompt and gets it.',
      'faultline.injectFaults': 'Breaks chosen calls on purpose, by a profile or a file. Each is marked as ours.',
      'faultline.stopFaults': 'Ends that.',
    },
  },
  {
    title: 'The timeline',
    more: "The filter's language: [filter.md](filter.md). The details of a call: [details.md](details.md).",
    commands: {
      'faultline.openTimeline': 'Shows the timeline in the side bar.',
      'faultline.openTimelineInEditor': 'Shows it wide, with the details beside the list.',
      'faultline.openTimelineAsText': 'Opens the rows that pass the filter as a text document.',
      'faultline.refreshText': 'Writes that document anew.',
      'faultline.showFailures': 'Leaves only failures in the list.',
      'faultline.showInTimeline': 'Leaves only the calls of a server or tool in the list.',
      'faultline.nextError': 'Goes to the next failure and says why it is one.',
      'faultline.previousError': 'Goes to the one before.',
      'faultline.toggleLanes': 'Shows or hides one line for each server over the list, those with failures first.',
      'faultline.toggleCharts': 'Shows or hides outcomes over time, and latencies with p50, p95 and p99.',
      'faultline.filterTimeline': 'Goes to the filter.',
      'faultline.filterByTool': "Leaves only calls of the selected row's tool.",
      'faultline.filterByServer': 'Leaves only calls of its server.',
      'faultline.filterByOutcome': 'Leaves only calls that ended the same way.',
      'faultline.clearTimeline':
        'Deletes everything that is recorded in this workspace, after a question. Pinned sessions stay.',
    },
  },
  {
    title: 'Replay',
    more: 'What asks first, and what is never sent: [replay.md](replay.md).',
    commands: {
      'faultline.replayWithBackoff': 'Sends a call again by a policy whose waits are shown before, and compares.',
      'faultline.editReplay': 'The same with other arguments.',
      'faultline.replayFailed': 'Sends many failed calls again, those that are known to be safe.',
      'faultline.cancelReplay': 'Stops at once, also in a wait.',
    },
  },
  {
    title: 'Compare, copy, open',
    more: 'What counts as a change, and what no copy holds: [details.md](details.md#compare).',
    commands: {
      'faultline.selectForCompare': 'Remembers a row.',
      'faultline.compareWithSelected': "Compares another row's answer with the remembered one's.",
      'faultline.compareWithReplay': "Compares a call's answer with that of its last replay.",
      'faultline.compareAsText': "Opens the same comparison in VS Code's diff editor.",
      'faultline.openRequestDocument': 'Opens the whole request as a read-only document.',
      'faultline.openResponseDocument': 'Opens the whole answer as one.',
      'faultline.copyExchange': 'Copies request, answer and verdict.',
      'faultline.copyAs': 'Asks which of the forms below.',
      'faultline.copyRaw': 'Copies both messages as they were on the wire.',
      'faultline.copyAsCurl': 'Copies a call over HTTP as a command for a shell.',
      'faultline.copyAsCall': 'Copies a tool call as a command of `faultline`.',
      'faultline.copyAsVitest': 'Copies a test in TypeScript that asks for the recorded outcome.',
      'faultline.copyAsPytest': 'Copies one in Python.',
      'faultline.goToToolSource': 'Opens the place in this workspace where the tool is defined.',
    },
  },
  {
    title: 'Taps',
    more: "What the edit of a client's file is, and how it is undone: [tap.md](tap.md#from-the-editor).",
    commands: {
      'faultline.tapServer': 'Puts a tap before a server of another client, after you have seen the edit.',
      'faultline.removeTap': 'Takes a tap out again, byte for byte.',
      'faultline.removeAllTaps': 'Takes all of them out.',
      'faultline.offerTapped': "Chooses the servers of which VS Code's own agent mode is offered a tapped version.",
    },
  },
  {
    title: 'What was recorded',
    more: 'Files: [session-format.md](session-format.md). Reports: [report.md](report.md). OpenTelemetry: [otel.md](otel.md).',
    commands: {
      'faultline.exportSession': 'Writes a session as a session file or, by the name of the file, as HAR.',
      'faultline.openSession': 'Opens a session file in a timeline of its own.',
      'faultline.deleteSessions': 'Lists the recorded sessions, to be named, pinned and deleted.',
      'faultline.exportBugReport':
        'Writes a page about a session or a call, redacted once more, with the session file beside it.',
      'faultline.exportOtlp': 'Sends a session to an OpenTelemetry collector.',
      'faultline.showReport': 'Says what failed by tool, what agents made of it, and what to mend first.',
      'faultline.compareReport': "Compares that with another session's or period's.",
      'faultline.exportReport': 'Writes it as Markdown, HTML or JSON.',
    },
  },
  {
    title: 'Suites and mocks',
    more: 'Suites: [suites.md](suites.md). Mocks: [mock.md](mock.md).',
    commands: {
      'faultline.saveAsSuite': 'Makes cases of recorded calls, which the Test Explorer and `faultline test` run.',
      'faultline.recordAgain': 'Lets a case expect what comes of its call now.',
      'faultline.serveMock': 'Serves a recorded session as the server that was recorded.',
      'faultline.stopMock': 'Ends that.',
    },
  },
  {
    title: 'Lint',
    more: 'The rules: [rules](rules/README.md). Outside the editor: [lint-ci.md](lint-ci.md).',
    commands: {
      'faultline.lintWorkspace': 'Looks through every file of the workspace for tools that hide their failures.',
      'faultline.fixAllSafe': 'Mends all findings whose fix changes only the error flag on the wire.',
    },
  },
];

/** A key of the timeline page; the page itself handles it. */
export interface PageKey {
  readonly keys: string;
  /** `key` of the presses, with what the page's handler makes of them. */
  readonly presses: readonly { readonly key: string; readonly shiftKey?: boolean; readonly command: string }[];
  readonly does: string;
}

/** Where the list has the focus. */
export const pageKeys: readonly PageKey[] = [
  {
    keys: 'Up, Down, Page Up, Page Down, Home, End',
    presses: [
      { key: 'ArrowUp', command: 'up' },
      { key: 'ArrowDown', command: 'down' },
      { key: 'PageUp', command: 'pageUp' },
      { key: 'PageDown', command: 'pageDown' },
      { key: 'Home', command: 'first' },
      { key: 'End', command: 'last' },
    ],
    does: 'move',
  },
  {
    keys: 'Right, Left',
    presses: [
      { key: 'ArrowRight', command: 'expand' },
      { key: 'ArrowLeft', command: 'collapse' },
    ],
    does: 'show and hide the attempts of a call',
  },
  {
    keys: 'Enter, Space',
    presses: [
      { key: 'Enter', command: 'open' },
      { key: ' ', command: 'open' },
    ],
    does: 'open the details',
  },
  { keys: 'Escape', presses: [{ key: 'Escape', command: 'back' }], does: 'back to the list' },
  { keys: '/', presses: [{ key: '/', command: 'focusFilter' }], does: 'go to the filter' },
  {
    keys: 'F8, Shift+F8',
    presses: [
      { key: 'F8', command: 'nextFailure' },
      { key: 'F8', shiftKey: true, command: 'previousFailure' },
    ],
    does: 'next and previous failure',
  },
  { keys: 'R', presses: [{ key: 'r', command: 'replay' }], does: 'replay with backoff' },
  { keys: 'C', presses: [{ key: 'c', command: 'copy' }], does: 'copy as JSON' },
];
