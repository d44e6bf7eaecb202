import path from 'node:path';
import { applyEdits, modify, parse } from 'jsonc-parser';
import * as vscode from 'vscode';
import { messageOf } from '../../base/messageOf.ts';
import { safeLine } from '../../base/safeText.ts';
import { systemClock } from '../../base/systemClock.ts';
import { AnswerBook } from '../../core/mock/answerBook.ts';
import { collectServers } from '../../core/mock/collectServers.ts';
import { type HttpMock, openHttpMock } from '../../core/mock/httpMock.ts';
import type { RecordedServer } from '../../core/mock/recordedServer.ts';
import type { ServerId } from '../../protocol/events.ts';
import { setContextKey } from '../manifest.ts';
import type { ReadableLog } from '../recording.ts';
import type { Services } from '../services.ts';
import { eventsOf } from '../sessions/eventsOf.ts';
import { pickSession } from '../sessions/pickSession.ts';
import { showUserError, userErrors } from '../userError.ts';

// Its own bundle, loaded with the first mock.

const { t } = vscode.l10n;

const MAX_NAME = 100;

interface RunningMock {
  readonly name: string;
  readonly mock: HttpMock;
}

/** The mocks of this window; they end with it. */
const running = new Set<RunningMock>();

/** What the session was read from, and where it stands on disk. */
interface Source {
  readonly log: ReadableLog;
  readonly file: string | undefined;
}

/** What is served and how, where whoever calls knows it and nobody is asked. */
export interface MockPlan extends Way {
  /** Default: every session. */
  readonly session?: string;
  /** Its id. */
  readonly server: string;
}

/**
 * Serves a session that a person picks as an MCP server: from this window over HTTP, or by a command line over stdio. Offers
 * to put it among the servers of the workspace. Gives the URL, or `undefined` when nothing was started here.
 */
export async function serveMock(services: Services, plan?: MockPlan): Promise<string | undefined> {
  const { log } = services.surfaces.current.recording;
  // Another process that reads the log must find all of it.
  services.recording.log.flush();
  const source: Source = { log, file: log.status.kind === 'file' ? log.status.path : undefined };
  const sessions = log.sessions();
  const chosen =
    plan === undefined
      ? await pickSession(sessions, t('Serve which session?'))
      : sessions.filter(({ id }) => plan.session === undefined || id === plan.session);
  if (chosen === undefined) {
    return undefined;
  }
  const ids = new Set(chosen.map(({ id }) => id));
  const servers = await collectServers(eventsOf(log, ({ session }) => ids.has(session)));
  const planned = [...servers].find(([id]) => id === plan?.server);
  const picked = plan === undefined ? await pickServer(servers, services.surfaces.current.nameOf) : planned;
  if (picked === undefined) {
    return undefined;
  }
  const [id, server] = picked;
  const way = plan ?? (await pickWay());
  if (way === undefined) {
    return undefined;
  }
  const name = `${server.name.slice(0, MAX_NAME)}-mock`;
  if (way.over === 'stdio') {
    const [only, second] = chosen;
    const session = second === undefined && only !== undefined ? [only.id] : [];
    await offer(name, stdioEntry(services.context, source, session, id, way.delays), undefined);
    return undefined;
  }
  return startHere(services, name, server, way.delays);
}

/** Menus give commands arguments of their own. */
export function isMockPlan(value: unknown): value is MockPlan {
  const plan = (value ?? {}) as Partial<Record<keyof MockPlan, unknown>>;
  return (
    typeof plan.server === 'string' &&
    (plan.over === 'http' || plan.over === 'stdio') &&
    (plan.delays === 'recorded' || plan.delays === 'none')
  );
}

/** Stops a mock, the one that runs or one that a person picks. */
export async function stopMock(): Promise<void> {
  const mocks = [...running];
  const [only] = mocks;
  const picked =
    mocks.length < 2
      ? only
      : (
          await vscode.window.showQuickPick(
            mocks.map((one) => ({ label: one.name, description: one.mock.url, one })),
            { title: t('Stop which mock?') },
          )
        )?.one;
  await (picked === undefined ? undefined : stop(picked));
}

async function startHere(
  { context }: Services,
  name: string,
  server: RecordedServer,
  delays: Delays,
): Promise<string | undefined> {
  let mock: HttpMock;
  try {
    mock = await openHttpMock({
      server,
      book: new AnswerBook(server),
      clock: systemClock,
      delayFactor: delays === 'recorded' ? 1 : 0,
      host: '127.0.0.1',
      port: 0,
      onUnknown: ({ message }) =>
        vscode.window.setStatusBarMessage(`$(warning) ${name}: ${safeLine(message, 200)}`, 10_000),
    });
  } catch (error) {
    await showUserError(userErrors.mockFailed(messageOf(error)));
    return undefined;
  }
  const one = { name, mock };
  running.add(one);
  context.subscriptions.push({ dispose: () => void mock.close() });
  setContextKey('faultline.isMocking', true);
  void offer(name, { type: 'http', url: mock.url }, one);
  return mock.url;
}

async function stop(one: RunningMock): Promise<void> {
  running.delete(one);
  setContextKey('faultline.isMocking', running.size > 0);
  await one.mock.close();
  vscode.window.setStatusBarMessage(t('{0} is stopped.', one.name), 5000);
}

type Delays = 'recorded' | 'none';

interface Way {
  readonly over: 'http' | 'stdio';
  readonly delays: Delays;
}

async function pickWay(): Promise<Way | undefined> {
  const ways: readonly (vscode.QuickPickItem & Way)[] = [
    {
      label: t('Over HTTP, From This Window'),
      description: t('with the recorded delays'),
      over: 'http',
      delays: 'recorded',
    },
    { label: t('Over HTTP, From This Window'), description: t('without delays'), over: 'http', delays: 'none' },
    {
      label: t('Over stdio, by a Command'),
      description: t('with the recorded delays'),
      over: 'stdio',
      delays: 'recorded',
    },
    { label: t('Over stdio, by a Command'), description: t('without delays'), over: 'stdio', delays: 'none' },
  ];
  return vscode.window.showQuickPick(ways, {
    title: t('How is the mock to be reached?'),
    matchOnDescription: true,
  });
}

async function pickServer(
  servers: ReadonlyMap<ServerId, RecordedServer>,
  nameOf: (server: string) => string,
): Promise<readonly [ServerId, RecordedServer] | undefined> {
  const [first, second] = servers;
  if (first === undefined) {
    await showUserError(userErrors.nothingRecorded(), 'warning');
    return undefined;
  }
  if (second === undefined) {
    return first;
  }
  const items = [...servers].map(([id, server]) => ({
    label: safeLine(nameOf(id), MAX_NAME),
    description: t('{0} calls', server.calls.length),
    of: [id, server] as const,
  }));
  return (await vscode.window.showQuickPick(items, { title: t('Serve which server of it?') }))?.of;
}

/** A server as `mcp.json` has it. */
type Entry =
  | { readonly type: 'http'; readonly url: string }
  | { readonly type: 'stdio'; readonly command: string; readonly args: readonly string[] };

/** The extension carries the command line; what it reads is what is shown here. */
function stdioEntry(
  context: vscode.ExtensionContext,
  { log, file }: Source,
  session: readonly string[],
  server: ServerId,
  delays: Delays,
): Entry {
  const isLog = 'append' in log;
  const cli = vscode.Uri.joinPath(context.extensionUri, 'dist', 'cli.js').fsPath;
  const from = file === undefined ? session : isLog ? [...session, '--log', file] : [file];
  return { type: 'stdio', command: 'node', args: [cli, 'mock', ...from, '--server', server, '--delays', delays] };
}

/** Says how the mock is reached, and what can be done with that. */
async function offer(name: string, entry: Entry, one: RunningMock | undefined): Promise<void> {
  const add = t('Add to mcp.json');
  const copy = t('Copy Configuration');
  const end = t('Stop');
  const hasFolder = vscode.workspace.workspaceFolders !== undefined;
  const answer = await vscode.window.showInformationMessage(
    entry.type === 'http'
      ? t('{0} is served at {1}.', name, entry.url)
      : t('{0} is started by a command: put it into the configuration of a client.', name),
    ...(hasFolder ? [add] : []),
    copy,
    ...(one === undefined ? [] : [end]),
  );
  if (answer === add) {
    await addToWorkspace(name, entry);
  } else if (answer === copy) {
    await vscode.env.clipboard.writeText(JSON.stringify({ mcpServers: { [name]: entry } }, undefined, 2));
  } else if (answer === end && one !== undefined) {
    await stop(one);
  }
}

/** Puts the server into `.vscode/mcp.json`, under a name that is free there or its own. */
async function addToWorkspace(name: string, entry: Entry): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (folder === undefined) {
    return;
  }
  const uri = vscode.Uri.joinPath(folder, '.vscode', 'mcp.json');
  const text = await readText(uri);
  const before = text.trim() === '' ? '{}\n' : text;
  const edits = modify(before, ['servers', name], entry, {
    formattingOptions: { insertSpaces: !/\n\t/.test(before), tabSize: 2 },
  });
  const after = applyEdits(before, edits);
  if (parse(after)?.servers?.[name] === undefined) {
    await showUserError(userErrors.suiteNotChanged(path.posix.join('.vscode', 'mcp.json')), 'warning');
    return;
  }
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(after));
  await vscode.window.showTextDocument(uri);
}

/** A file that is not there is as if it were empty. */
async function readText(uri: vscode.Uri): Promise<string> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return '';
  }
}
