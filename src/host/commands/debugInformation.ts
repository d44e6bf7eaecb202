import * as vscode from 'vscode';
import { SETTING_NAMES, type Settings } from '../contributions.ts';
import { readSetting } from '../manifest.ts';
import { descriptionOf } from '../servers/serversTree.ts';
import type { Services } from '../services.ts';

/** Settings that may hold commands, addresses and names: only that they are set is told. */
const privateSettings: ReadonlySet<keyof Settings> = new Set<keyof Settings>([
  'servers',
  'tools',
  'trustedServers',
  'redact.names',
  'redact.exceptNames',
  'redact.patterns',
  'otlp.endpoint',
  'otlp.headers',
  'otlp.certificate',
  'otlp.clientCertificate',
  'otlp.clientKey',
  'otlp.serviceName',
  'otlp.resourceAttributes',
]);

/** Opens a document with what a bug report needs. No message, no argument and no value of a variable is in it. */
export async function reportDebugInformation({ context, recording, servers, otlp }: Services): Promise<void> {
  const { version } = context.extension.packageJSON as { version: string };
  const { log, timeline } = recording;
  const settings = (Object.keys(SETTING_NAMES) as (keyof Settings)[]).map((name) => {
    const value = readSetting(name);
    const shown = privateSettings.has(name) ? extentOf(value) : JSON.stringify(value);
    return `- faultline.${name}: ${shown}`;
  });
  const lines = [
    `# Faultline ${version}`,
    '',
    `- VS Code ${vscode.version}, ${vscode.env.appHost}${vscode.env.remoteName === undefined ? '' : `, remote ${vscode.env.remoteName}`}`,
    `- Node.js ${process.versions.node}, ${process.platform} ${process.arch}`,
    `- Workspace ${vscode.workspace.isTrusted ? 'trusted' : 'not trusted'}, ${vscode.workspace.workspaceFolders?.length ?? 0} folders`,
    `- Log: ${log.status.kind === 'file' ? 'file' : `memory (${log.status.reason}: ${log.status.detail})`}, ${log.count} events, ${timeline.recorded} rows`,
    '',
    '## Servers',
    '',
    ...servers
      .views()
      .map(
        (view) =>
          `- ${view.definition.name} (${view.definition.transport.type}, ${view.definition.source.kind}): ${descriptionOf(view)}, ${view.tools.length} tools`,
      ),
    '',
    '## OpenTelemetry',
    '',
    ...otlp.describe(),
    '',
    '## Settings',
    '',
    ...settings,
    '',
  ];
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: lines.join('\n') });
  await vscode.window.showTextDocument(document);
}

function extentOf(value: Settings[keyof Settings]): string {
  return typeof value === 'string' ? (value === '' ? 'not set' : 'set') : `${Object.keys(value).length} entries`;
}
