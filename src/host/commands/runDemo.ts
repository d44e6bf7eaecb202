import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';
import { systemClock } from '../../base/systemClock.ts';
import { DEFAULT_REPLAY_POLICY } from '../../core/resilience/policy.ts';
import {
  demoDefinitions,
  demoEnv,
  demoHttpArgs,
  demoHttpDefinition,
  listeningUrl,
  runDemoScript,
} from '../../demo/script.ts';
import type { ServerDefinition } from '../../protocol/definition.ts';
import { retrySettings } from '../servers/serverService.ts';
import type { Services } from '../services.ts';
import { showUserError, userErrors } from '../userError.ts';

// Its own bundle, loaded when the demo is run.

const { t } = vscode.l10n;

/** How long the demo's HTTP server may take to say its address. */
const START_TIMEOUT_MS = 15_000;

/** The demo's HTTP server process of this window; it ends with our end of its stdin. */
let httpServer: ChildProcess | undefined;

/** Plays the scripted agent against the bundled bookshop, over stdio and HTTP, with the timeline open. */
export async function runDemo({ context, servers, surfaces, recording }: Services): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    await showUserError(userErrors.untrusted(), 'warning');
    return;
  }
  await recording.load();
  const serverPath = vscode.Uri.joinPath(context.extensionUri, 'dist', 'demo-server.js').fsPath;
  const definitions = await vscode.window.withProgress(
    { location: { viewId: 'faultline.timeline' }, title: t('Starting the demo') },
    () => startDemoServers(context, serverPath),
  );
  if ('problem' in definitions) {
    await showUserError(userErrors.demoFailed(definitions.problem));
    return;
  }
  servers.setDefinitions('demo', definitions.definitions);
  await surfaces.openEditor();
  const pool = await servers.openPool();
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: t('Faultline demo') },
    (progress) =>
      runDemoScript(
        {
          call: (server, tool, args, options) =>
            pool.call(
              {
                server: demoServerId(definitions.definitions, server),
                method: 'tools/call',
                params: { name: tool, arguments: args },
                origin: 'client',
              },
              {
                signal: options.signal,
                policy: {
                  ...DEFAULT_REPLAY_POLICY,
                  maxAttempts: retrySettings().maxAttempts,
                  ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
                },
              },
            ),
        },
        { clock: systemClock, onStep: ({ step }) => progress.report({ message: step.tool }) },
      ),
  );
}

function demoServerId(definitions: readonly ServerDefinition[], name: string): ServerDefinition['id'] {
  const found = definitions.find((definition) => definition.name === name);
  if (found === undefined) {
    throw new Error(`The demo has no server ${name}`);
  }
  return found.id;
}

async function startDemoServers(
  context: vscode.ExtensionContext,
  serverPath: string,
): Promise<{ readonly definitions: readonly ServerDefinition[] } | { readonly problem: string }> {
  const stdio = demoDefinitions({ serverPath, execPath: process.execPath });
  httpServer?.stdin?.end();
  const child = spawn(process.execPath, [...demoHttpArgs(serverPath)], {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { ...process.env, ...demoEnv },
  });
  httpServer = child;
  context.subscriptions.push({ dispose: () => child.stdin.end() });
  const controller = new AbortController();
  const url = await Promise.race([
    addressOf(child),
    systemClock.sleep(START_TIMEOUT_MS, controller.signal).then(() => ({ problem: t('it did not say its address') })),
  ]);
  controller.abort();
  return typeof url === 'string' ? { definitions: [...stdio, demoHttpDefinition(url)] } : url;
}

/** The URL from the server's stderr, or why there is none. */
function addressOf(child: ChildProcess): Promise<string | { readonly problem: string }> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ problem: error.message }));
    child.once('exit', (code) => resolve({ problem: t('it exited with code {0}', code ?? '?') }));
    if (child.stderr === null) {
      resolve({ problem: t('its stderr cannot be read') });
      return;
    }
    createInterface({ input: child.stderr }).on('line', (line) => {
      const url = listeningUrl(line);
      if (url !== undefined) {
        resolve(url);
      }
    });
  });
}
