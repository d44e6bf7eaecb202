import * as vscode from 'vscode';
import { messageOf } from '../../base/messageOf.ts';
import { systemClock } from '../../base/systemClock.ts';
import { createFaultSource } from '../../core/passthrough/faults/faultSource.ts';
import { FAULTS_ENDING } from '../../core/passthrough/faults/faultsFile.ts';
import { type FaultsProblem, parseFaults } from '../../core/passthrough/faults/parseFaults.ts';
import type { FaultPlan } from '../../core/passthrough/faults/plan.ts';
import { FAULT_PROFILES, type FaultProfile } from '../../core/passthrough/faults/profiles.ts';
import { say } from '../say.ts';
import type { ServerView } from '../servers/serverService.ts';
import type { Services } from '../services.ts';
import { showUserError, userErrors } from '../userError.ts';

// Its own bundle, loaded when somebody wants faults.

const { t } = vscode.l10n;

const MAX_FILES = 200;

const profileTexts: Readonly<Record<FaultProfile, { readonly label: string; readonly detail: string }>> = {
  'flaky-network': {
    label: t('Flaky network'),
    detail: t('Answers come late, some not at all, and connections break in the middle of one.'),
  },
  'rate-limited-api': {
    label: t('Rate-limited API'),
    detail: t('After two calls most are refused: 429 with Retry-After over HTTP, a tool error over stdio.'),
  },
  'crash-loop': { label: t('Crash loop'), detail: t('The server is killed at each second call.') },
  'slow-tool': { label: t('Slow tool'), detail: t('Answers take three to seven seconds, and some trickle in.') },
};

interface Chosen {
  readonly name: string;
  readonly plan: FaultPlan;
}

/** What is injected and where, where whoever calls knows it and nobody is asked. */
export interface FaultRequest {
  readonly profile: FaultProfile;
  /** Ids of servers. */
  readonly servers: readonly string[];
}

/** Menus give commands arguments of their own. */
export function isFaultRequest(value: unknown): value is FaultRequest {
  const { profile, servers } = (value ?? {}) as Partial<Record<keyof FaultRequest, unknown>>;
  return (
    typeof profile === 'string' &&
    Object.hasOwn(FAULT_PROFILES, profile) &&
    Array.isArray(servers) &&
    servers.every((server) => typeof server === 'string')
  );
}

/**
 * Injects faults into the calls of this window: asks for a profile or a file, for servers and for tools. Servers that are
 * connected are connected anew, since faults are on the wire. Does nothing in a workspace that is not trusted.
 */
export async function injectFaults({ servers, faults }: Services, request?: FaultRequest): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    await showUserError(userErrors.untrusted(), 'warning');
    return;
  }
  await servers.loaded;
  const views = servers.views();
  if (views.length === 0) {
    await showUserError(userErrors.noServers(), 'warning');
    return;
  }
  const chosen =
    request === undefined ? await chooseFaults() : { name: request.profile, plan: FAULT_PROFILES[request.profile] };
  const picked =
    chosen === undefined || request !== undefined
      ? views.filter(({ definition }) => request?.servers.includes(definition.id) === true)
      : await chooseServers(views);
  if (chosen === undefined || picked === undefined || picked.length === 0) {
    return;
  }
  const tools = request === undefined ? await chooseTools(picked) : 'all';
  if (tools === undefined) {
    return;
  }
  const source = createFaultSource({
    plan: chosen.plan,
    clock: systemClock,
    servers: new Set<string>(picked.map(({ definition }) => definition.id)),
    tools: tools === 'all' ? undefined : new Set(tools),
  });
  faults.start({ name: chosen.name, servers: picked.map(({ definition }) => definition.name), source });
  const connected = picked.filter(({ state }) => state.kind === 'running' || state.kind === 'starting');
  await Promise.all(connected.map(({ definition }) => servers.restart(definition.id)));
}

async function chooseFaults(): Promise<Chosen | undefined> {
  const files = await vscode.workspace.findFiles(`**/*${FAULTS_ENDING}`, '**/node_modules/**', MAX_FILES);
  const separator = (label: string) => ({
    label,
    kind: vscode.QuickPickItemKind.Separator,
    read: async () => undefined,
  });
  const picked = await vscode.window.showQuickPick(
    [
      separator(t('Profiles')),
      ...Object.entries(profileTexts).map(([id, words]) => ({
        ...words,
        read: async (): Promise<Chosen | undefined> => ({
          name: words.label,
          plan: FAULT_PROFILES[id as FaultProfile],
        }),
      })),
      separator(t('Files')),
      ...files.map((file) => ({
        label: vscode.workspace.asRelativePath(file),
        read: () => readFile(file),
      })),
      { label: t('Choose a File…'), read: chooseFile },
    ],
    { title: t('Inject which faults?'), matchOnDetail: true },
  );
  return picked?.read();
}

async function chooseFile(): Promise<Chosen | undefined> {
  const [file] =
    (await vscode.window.showOpenDialog({
      title: t('Faults to inject'),
      filters: { [t('Faults of Faultline')]: ['faultline-faults.json', 'json'] },
    })) ?? [];
  return file === undefined ? undefined : readFile(file);
}

/** What is wrong with a file is told with its place, which is opened; it never counts as no faults. */
async function readFile(file: vscode.Uri): Promise<Chosen | undefined> {
  let text: string;
  try {
    text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  } catch (error) {
    void vscode.window.showErrorMessage(say('fault.file.unreadable', { detail: messageOf(error) }));
    return undefined;
  }
  const reading = parseFaults(text);
  const label = vscode.workspace.asRelativePath(file);
  if ('plan' in reading) {
    return { name: reading.plan.name ?? label, plan: reading.plan };
  }
  const [first] = reading.problems;
  if (first !== undefined) {
    await tellProblem(file, label, first);
  }
  return undefined;
}

async function tellProblem(
  file: vscode.Uri,
  label: string,
  { code, args, line, column }: FaultsProblem,
): Promise<void> {
  const open = t('Open File');
  const told = `${label}:${line}:${column}: ${say(code, args)}`;
  const answer = await vscode.window.showErrorMessage(t('No faults are injected. {0}', told), open);
  if (answer === open) {
    const position = new vscode.Position(line - 1, column - 1);
    await vscode.window.showTextDocument(file, { selection: new vscode.Range(position, position) });
  }
}

async function chooseServers(views: readonly ServerView[]): Promise<readonly ServerView[] | undefined> {
  if (views.length === 1) {
    return views;
  }
  const picked = await vscode.window.showQuickPick(
    views.map((view) => ({ label: view.definition.name, picked: view.state.kind === 'running', view })),
    { title: t('Into the calls of which servers?'), canPickMany: true },
  );
  return picked?.map(({ view }) => view);
}

/** Without tools that are known there is nothing to choose from. */
async function chooseTools(views: readonly ServerView[]): Promise<readonly string[] | 'all' | undefined> {
  const tools = [...new Set(views.flatMap((view) => view.tools.map(({ name }) => name)))].sort();
  if (tools.length < 2) {
    return 'all';
  }
  const picked = await vscode.window.showQuickPick(
    tools.map((label) => ({ label, picked: true })),
    { title: t('Into the calls of which tools?'), canPickMany: true },
  );
  return picked === undefined || picked.length === 0
    ? undefined
    : picked.length === tools.length
      ? 'all'
      : picked.map(({ label }) => label);
}
