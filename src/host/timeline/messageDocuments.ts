import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { EventLog } from '../../core/log/eventLog.ts';
import { prettyPrint } from './payload.ts';

const SCHEME = 'faultline-message';

/** The address under which a recorded message opens as a read-only document. */
export function messageUri(seq: number): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/message-${seq}.json` });
}

/** Serves recorded messages as documents, whole and laid out. */
export function registerMessageDocuments(log: () => EventLog): Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: (uri) => {
      const seq = Number(/^\/message-(\d+)\.json$/.exec(uri.path)?.[1] ?? Number.NaN);
      const body = Number.isSafeInteger(seq) ? log().get(seq)?.body : undefined;
      return body?.kind === 'message' || body?.kind === 'noise'
        ? prettyPrint(body.raw)
        : vscode.l10n.t('This message is no longer recorded.');
    },
  });
}
