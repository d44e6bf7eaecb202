import * as vscode from 'vscode';
import { pagesAskedFor } from '../../core/client/pagesAskedFor.ts';
import type { RawEnd } from '../../protocol/call.ts';

const { t } = vscode.l10n;

/** What a person did with a page that a server wants opened. */
export type Visit = 'opened' | 'declined' | 'dismissed';

/** Opens a page once its whole address has been shown and agreed to: both are the server's word. */
export async function askToVisit(name: string, message: string, url: URL): Promise<Visit> {
  const open = t('Open {0}', url.host);
  const decline = t('Decline');
  const chosen = await vscode.window.showInformationMessage(
    t('The MCP server "{0}" wants you to open a page.', name),
    { modal: true, detail: `${message}\n\n${url.href}` },
    open,
    decline,
  );
  if (chosen !== open) {
    return chosen === decline ? 'declined' : 'dismissed';
  }
  return (await vscode.env.openExternal(vscode.Uri.parse(url.href, true))) ? 'opened' : 'dismissed';
}

/**
 * Offers the pages that have to be visited before a call can succeed, one after the other, then to make the call again; true
 * when it is wanted again (2025-11-25, "URL Mode Elicitation": the client retries once the person is done there).
 */
export async function visitBeforeCall(name: string, target: string, end: RawEnd): Promise<boolean> {
  const pages = pagesAskedFor(end);
  for (const { url, message } of pages) {
    if ((await askToVisit(name, message.slice(0, MAX_MESSAGE), url)) !== 'opened') {
      return false;
    }
  }
  if (pages.length === 0) {
    return false;
  }
  const again = t('Call Again');
  const chosen = await vscode.window.showInformationMessage(
    t('Call {0} again when you are done in the browser.', target),
    again,
  );
  return chosen === again;
}

/** What a dialog can hold, characters. */
const MAX_MESSAGE = 1500;
