import * as vscode from 'vscode';
import { safeText } from '../../base/safeText.ts';
import type { ServerDefinition } from '../../protocol/definition.ts';
import { showUserError, userErrors } from '../userError.ts';

const MEMENTO_KEY = 'faultline.agreedServers';

/**
 * The one gate before anything is spawned or contacted. The workspace must be trusted, and a definition that is not from
 * the user's own settings is asked about once, with the exact command or address; a changed one is asked about again.
 */
export class TrustGate {
  private readonly memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.memento = memento;
  }

  /** True when the definitions may be used. Asks in one modal for all that were not agreed to yet. */
  async allows(definitions: readonly ServerDefinition[]): Promise<boolean> {
    if (!vscode.workspace.isTrusted) {
      void showUserError(userErrors.untrusted(), 'warning');
      return false;
    }
    const agreed = new Set(this.memento.get<readonly string[]>(MEMENTO_KEY, []));
    const unknown = definitions.filter(
      (definition) => !isOwnWord(definition.source.kind) && !agreed.has(fingerprint(definition)),
    );
    if (unknown.length === 0) {
      return true;
    }
    const start = vscode.l10n.t('Start');
    const answer = await vscode.window.showWarningMessage(
      unknown.length === 1
        ? vscode.l10n.t('Start the MCP server "{0}"?', unknown[0]?.name ?? '')
        : vscode.l10n.t('Start {0} MCP servers?', unknown.length),
      { modal: true, detail: unknown.map(consentLine).join('\n') },
      start,
    );
    if (answer !== start) {
      return false;
    }
    await this.memento.update(MEMENTO_KEY, [...agreed, ...unknown.map(fingerprint)]);
    return true;
  }
}

/** Written by the user for Faultline. Everything else came with a folder, or was written for another client. */
function isOwnWord(kind: ServerDefinition['source']['kind']): boolean {
  return kind === 'settings' || kind === 'demo' || kind === 'command-line';
}

/** On one line and without characters that cannot be seen, so that no definition reads as another. Never cut. */
function consentLine(definition: ServerDefinition): string {
  const { path } = definition.source;
  const line = path === undefined ? commandLineOf(definition) : `${commandLineOf(definition)} — ${path}`;
  return safeText(line).replaceAll('\n', '\\n');
}

/** What would be run or contacted, as a person would type it. Values of variables are not shown. */
export function commandLineOf({ name, transport }: ServerDefinition): string {
  if (transport.type === 'http') {
    return `${name}: ${transport.url}`;
  }
  const words = [transport.command, ...transport.args].map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word),
  );
  const where = transport.cwd === undefined ? '' : vscode.l10n.t(' (in {0})', transport.cwd);
  return `${name}: ${words.join(' ')}${where}`;
}

/** Everything that decides what runs; the order of keys is the parser's and stable. */
function fingerprint({ source, name, transport }: ServerDefinition): string {
  return JSON.stringify([source.path, name, transport]);
}
