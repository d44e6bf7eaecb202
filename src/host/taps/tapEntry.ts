import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import process from 'node:process';
import * as vscode from 'vscode';
import { clientLabelOf } from '../../core/client/discovery/clients.ts';
import { dialectOf } from '../../core/client/discovery/dialects.ts';
import { readConfig } from '../../core/passthrough/config/configFile.ts';
import { readJournal, type TapRecord } from '../../core/passthrough/config/journal.ts';
import { installLauncher, launcherWords } from '../../core/passthrough/config/launcher.ts';
import { stateFolder } from '../../core/passthrough/config/stateFolder.ts';
import { applyTap } from '../../core/passthrough/config/taps.ts';
import { isRefusal, type Refusal, refused } from '../../core/passthrough/config/tree.ts';
import { type EntryPlace, shapeOfEntry, wrapEntry } from '../../core/passthrough/config/wrap.ts';
import type { ServerDefinition } from '../../protocol/definition.ts';
import { say } from '../say.ts';
import { commandLineOf } from '../servers/trust.ts';
import { showUserError, userErrors } from '../userError.ts';
import { agreesToEdit } from './previewEdit.ts';
import { findRuntimes, OLDEST_NODE } from './runtimes.ts';

const { t } = vscode.l10n;

/** Below the ports that systems give to outgoing connections, so that nobody has taken one when it is listened on again. */
const FIRST_PORT = 20_000;
const PORTS = 10_000;
const PORT_ATTEMPTS = 50;

export interface TapEntryOptions {
  readonly definitions: readonly ServerDefinition[];
  readonly extensionFolder: string;
  /** Where it is to be recorded. */
  readonly log: string;
}

/** An entry of a client's configuration. */
type Entry = ServerDefinition & { readonly source: { readonly path: string } };

/**
 * Puts a tap before the server of an entry that a person picks, after they have seen the edit. True when something was tapped;
 * what cannot be is said with its reason.
 */
export async function tapEntry({ definitions, extensionFolder, log }: TapEntryOptions): Promise<boolean> {
  const entry = await pickEntry(definitions);
  if (entry === undefined) {
    return false;
  }
  const done = await tapIt(entry, extensionFolder, log);
  if (isRefusal(done)) {
    await refuse(done);
  }
  return done === true;
}

async function pickEntry(definitions: readonly ServerDefinition[]): Promise<Entry | undefined> {
  const entries = definitions.filter(
    (definition): definition is Entry =>
      definition.source.path !== undefined && clientLabelOf(definition.source.kind) !== undefined,
  );
  if (entries.length === 0) {
    await showUserError(userErrors.notTapped(t('No client that is configured here has an MCP server.')), 'warning');
    return undefined;
  }
  const items = entries.map((entry) => ({
    label: entry.name,
    description: clientLabelOf(entry.source.kind) ?? '',
    detail: `${commandLineOf(entry)} — ${entry.source.path}`,
    entry,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Tap a Client’s Server'),
    placeHolder: t('Whose calls to which server do you want to see?'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.entry;
}

async function tapIt(entry: Entry, extensionFolder: string, log: string): Promise<boolean | Refusal> {
  const state = stateFolder();
  const { name, source } = entry;
  const file = source.path;
  const unsaved = vscode.workspace.textDocuments.some(({ uri, isDirty }) => isDirty && uri.fsPath === file);
  const read = await readConfig(file);
  if (unsaved || 'kind' in read) {
    return 'kind' in read ? read : refused('unsaved', { file });
  }
  const launcher = { state, platform: process.platform, extensionFolder, runtimes: await findRuntimes() };
  const words = launcherWords(launcher);
  const port = await freePort(new Set((await readJournal(state)).map(({ http }) => http?.port)));
  if (words === undefined || port === undefined) {
    return words === undefined ? refused('noRuntime', { version: OLDEST_NODE }) : refused('noPort');
  }
  const id = randomBytes(4).toString('hex');
  const options = ['--log', log, '--server', name];
  const wrapped = wrapEntry(read.text, placeOf(read.text, entry), { id, launcher: words, options, port });
  if (wrapped.kind === 'refused') {
    return wrapped;
  }
  const client = clientLabelOf(source.kind) ?? source.kind;
  const { shape } = wrapped;
  const detail =
    shape.kind === 'stdio'
      ? t('{0} has to start the server again.', client)
      : t('{0} reaches the server only while this workspace is open in VS Code.', client);
  const edit = { file, before: read.text, after: wrapped.text, detail };
  if (!(await agreesToEdit({ ...edit, title: t('Tap {0} of {1}', name, client), apply: t('Tap') }))) {
    return false;
  }
  await installLauncher(launcher);
  const http = shape.kind === 'http' ? { http: { url: shape.url, port } } : {};
  const record: TapRecord = { id, file, name, client, log, at: new Date().toISOString(), ...http };
  const refusal = await applyTap(state, record, read.text, wrapped.text);
  if (refusal === undefined) {
    void told(name, client);
  }
  return refusal ?? true;
}

async function told(name: string, client: string): Promise<void> {
  const remove = t('Remove Tap');
  const message = t('{0} of {1} is tapped. Start the server again there to see its calls.', name, client);
  if ((await vscode.window.showInformationMessage(message, remove)) === remove) {
    await vscode.commands.executeCommand('faultline.removeTap');
  }
}

/** Where the entry stands: of two sections with the name the later one counts, as for its client. */
function placeOf(text: string, { name, source }: Entry): EntryPlace {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const places = dialectOf(source.kind)
    .sections(folders)
    .map((section) => ({ section, name }));
  const isThere = (place: EntryPlace) => {
    const shape = shapeOfEntry(text, place);
    return shape.kind !== 'refused' || shape.code !== 'tap.edit.gone';
  };
  return places.findLast(isThere) ?? { section: [], name };
}

/** A port that nobody listens on and no other tap of this user is to listen on. */
async function freePort(taken: ReadonlySet<number | undefined>): Promise<number | undefined> {
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt += 1) {
    const port = FIRST_PORT + (randomBytes(4).readUInt32BE() % PORTS);
    if (!taken.has(port) && (await isFree(port))) {
      return port;
    }
  }
  return undefined;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Says why nothing was changed. */
export async function refuse({ code, args }: Refusal): Promise<void> {
  await showUserError(userErrors.notTapped(say(code, args)));
}
