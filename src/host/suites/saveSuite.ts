import path from 'node:path';
import * as vscode from 'vscode';
import { fileNameOf } from '../../base/fileName.ts';
import { safeLine } from '../../base/safeText.ts';
import { editableRequest, isRefusal } from '../../core/replay/recordedRequest.ts';
import { parseSuite } from '../../core/replay/suites/parseSuite.ts';
import { casesOf, type RecordedCase, suiteText, withCases } from '../../core/replay/suites/saveSuite.ts';
import {
  EXPECTED_OUTCOMES,
  SUITE_ENDING,
  type SuiteCase,
  type SuiteServer,
} from '../../core/replay/suites/suiteFile.ts';
import type { ServerDefinition } from '../../protocol/definition.ts';
import type { ServerId } from '../../protocol/events.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import type { JsonValue } from '../../protocol/jsonrpc.ts';
import { FAILURE_KINDS } from '../../protocol/outcome.ts';
import { nameInId } from '../../protocol/serverId.ts';
import type { ReadableLog, Recording } from '../recording.ts';
import type { Services } from '../services.ts';
import { rowOf } from '../targets.ts';
import { rowView } from '../timeline/rowView.ts';
import { showUserError, userErrors } from '../userError.ts';
import { changeSuite } from './changeSuite.ts';

// Its own bundle, loaded when the first suite is saved.

const { t } = vscode.l10n;

/** Rows that are offered: the newest. */
const MAX_ROWS = 200;
const MAX_LENGTH = 200;
/** What a client does by itself at every start. */
const HANDSHAKE: ReadonlySet<string> = new Set(['initialize', 'server/discover', 'subscriptions/listen']);

/** Makes cases of the given row, or of rows that a person chooses of those that the filter shows, and opens their suite. */
export async function saveAsSuite(services: Services, target: unknown): Promise<void> {
  const { surfaces } = services;
  const shown = typeof target === 'object' && target !== null ? surfaces.own : surfaces.current;
  const { recording, nameOf } = shown;
  await recording.load();
  const row = rowOf(target);
  const keys = row === undefined ? await pickRows(recording, nameOf) : [row];
  const exchanges = (keys ?? []).flatMap((key) => {
    const found = recording.timeline.row(key);
    const exchange = found === undefined ? undefined : recording.exchange(found.endKey);
    return exchange === undefined ? [] : [exchange];
  });
  const server = await pickServer(exchanges, nameOf);
  if (server === undefined) {
    return;
  }
  const recorded = exchanges
    .filter((exchange) => exchange.server === server)
    .flatMap((exchange) => recordedCase(recording, exchange) ?? []);
  const into = casesOf(recorded).length === 0 ? undefined : await pickSuite();
  if (into === undefined) {
    if (casesOf(recorded).length === 0) {
      await showUserError(userErrors.noCase(), 'warning');
    }
    return;
  }
  const definition = services.servers.view(server)?.definition;
  await (into === 'new'
    ? openNew(recorded, nameOf(server), serverOf(definition, services, server), definition?.isTrusted === true)
    : append(into, recorded));
}

/** The request of an exchange and what came of it; `undefined` of what is no call of a client. */
function recordedCase(recording: Recording<ReadableLog>, exchange: Exchange): RecordedCase | undefined {
  const { key, endSeq, target, verdict } = exchange;
  const read = editableRequest(exchange, recording.log.get(Math.floor(key))?.body);
  if (isRefusal(read)) {
    return undefined;
  }
  const end = endSeq === undefined ? undefined : recording.log.get(Math.floor(endSeq))?.body;
  const limit = end?.kind === 'local-end' && end.end.kind === 'timeout' ? end.end.afterMs : undefined;
  return {
    method: read.method,
    params: read.params,
    target,
    outcome: verdict?.outcome,
    answer: end?.kind === 'message' ? answerIn(end.raw) : failureOf(exchange),
    timeoutMs: limit,
  };
}

function answerIn(raw: string): JsonValue | undefined {
  try {
    const { result, error } = JSON.parse(raw) as { result?: JsonValue; error?: JsonValue };
    return result ?? error;
  } catch {
    return undefined;
  }
}

function failureOf({ failure }: Exchange): JsonValue | undefined {
  return failure === undefined ? undefined : { reason: failure.reason };
}

async function pickRows(
  recording: Recording<ReadableLog>,
  nameOf: (server: string) => string,
): Promise<readonly number[] | undefined> {
  const { timeline } = recording;
  const rows = timeline.rows(Math.max(0, timeline.total - MAX_ROWS), MAX_ROWS).toReversed();
  const items = rows
    .filter(
      ({ depth, kind, initiator, method, outcome }) =>
        depth === 0 &&
        kind === 'request' &&
        initiator === 'client' &&
        !HANDSHAKE.has(method) &&
        EXPECTED_OUTCOMES.some((each) => each === outcome),
    )
    .map((row) => {
      const view = rowView(row, nameOf(row.server), (key) => recording.exchange(key));
      return {
        label: safeLine(view.target ?? view.method, MAX_LENGTH),
        description: [safeLine(view.server, MAX_LENGTH), view.outcomeText].filter((text) => text !== '').join(' · '),
        detail: safeLine(view.reason, MAX_LENGTH),
        picked: row.outcome !== undefined && FAILURE_KINDS.has(row.outcome),
        key: row.key,
      };
    });
  if (items.length === 0) {
    await showUserError(userErrors.nothingRecorded(), 'warning');
    return undefined;
  }
  const chosen = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: t('Save which calls as cases?'),
    placeHolder: t('The calls that the filter lets through; failures are chosen'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  // In the order in which they were made.
  return chosen?.map(({ key }) => key).toReversed();
}

/** A suite is of one server. */
async function pickServer(
  exchanges: readonly Exchange[],
  nameOf: (server: string) => string,
): Promise<ServerId | undefined> {
  const servers = [...new Set(exchanges.map(({ server }) => server))];
  if (servers.length < 2) {
    return servers[0];
  }
  const items = servers.map((server) => ({
    label: nameOf(server),
    description: t('{0} calls', exchanges.filter((each) => each.server === server).length),
    server,
  }));
  return (await vscode.window.showQuickPick(items, { title: t('A suite is of one server. Which one?') }))?.server;
}

/** A suite of the workspace that takes the cases, or a new one; a person may choose none. */
async function pickSuite(): Promise<vscode.Uri | 'new' | undefined> {
  const found = await vscode.workspace.findFiles(`**/*${SUITE_ENDING}`, '**/node_modules/**', MAX_ROWS);
  if (found.length === 0) {
    return 'new';
  }
  const items: readonly (vscode.QuickPickItem & { readonly into: vscode.Uri | 'new' })[] = [
    { label: `$(new-file) ${t('New Suite')}`, into: 'new' },
    ...found.map((uri) => ({ label: `$(beaker) ${vscode.workspace.asRelativePath(uri)}`, into: uri })),
  ];
  return (await vscode.window.showQuickPick(items, { title: t('Save into which suite?') }))?.into;
}

async function openNew(
  recorded: readonly RecordedCase[],
  name: string,
  server: SuiteServer,
  trustAnnotations: boolean,
): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const file = `${fileNameOf(name) || 'suite'}${SUITE_ENDING}`;
  const uri = await vscode.window.showSaveDialog({
    title: t('Save as Suite'),
    filters: { [t('Faultline suite')]: [SUITE_ENDING.slice(1)] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, file) }),
  });
  if (uri === undefined) {
    return;
  }
  const whole = uri.path.endsWith(SUITE_ENDING)
    ? uri
    : uri.with({ path: `${uri.path.replace(/(?:\.faultline-suite)?\.json$/, '')}${SUITE_ENDING}` });
  const text = suiteText({ name, server, trustAnnotations, cases: casesOf(recorded) });
  await vscode.workspace.fs.writeFile(whole, new TextEncoder().encode(text));
  await vscode.window.showTextDocument(whole);
}

/** Puts the cases behind those of a suite, in its document, to be looked at and saved. */
async function append(uri: vscode.Uri, recorded: readonly RecordedCase[]): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const text = document.getText();
  const reading = parseSuite(text);
  if ('problems' in reading) {
    await showUserError(userErrors.suiteNotChanged(vscode.workspace.asRelativePath(uri)), 'warning');
    return;
  }
  const cases: readonly SuiteCase[] = casesOf(
    recorded,
    reading.suite.cases.map(({ name }) => name),
  );
  const whole = new vscode.Range(new vscode.Position(0, 0), document.positionAt(text.length));
  if (!(await changeSuite(uri, whole, withCases(text, cases)))) {
    return;
  }
  const editor = await vscode.window.showTextDocument(document);
  editor.revealRange(editor.document.lineAt(editor.document.lineCount - 1).range);
}

/** By its name, so that no secret and no folder of this machine gets into the file; the demo, which is nobody's, as it is started. */
function serverOf(definition: ServerDefinition | undefined, { servers }: Services, id: ServerId): SuiteServer {
  if (definition === undefined) {
    return nameInId(id);
  }
  if (definition.source.kind === 'demo') {
    const { transport } = definition;
    return transport.type === 'stdio'
      ? { command: 'node', args: transport.args.map((arg) => arg.replaceAll(path.sep, '/')) }
      : { url: transport.url };
  }
  const isOnly = servers.definitions().filter(({ name }) => name === definition.name).length === 1;
  return isOnly ? definition.name : definition.id;
}
