import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { ReadableLog } from '../recording.ts';
import { prettyPrint } from './payload.ts';

const SCHEME = 'faultline-message';

/** The address under which a message opens as a read-only document: a recorded one, or one of a session file. */
export function messageUri(seq: number, file = ''): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/message-${seq}.json`, query: file });
}

/** Serves messages as documents, whole and laid out. `logOf` gives the log of a session file, that of the window for `''`. */
export function registerMessageDocuments(logOf: (file: string) => ReadableLog | undefined): Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: (uri) => {
      const seq = Number(/^\/message-(\d+)\.json$/.exec(uri.path)?.[1] ?? Number.NaN);
      const body = Number.isSafeInteger(seq) ? logOf(uri.query)?.get(seq)?.body : undefined;
      return body?.kind === 'message' || body?.kind === 'noise'
        ? prettyPrint(body.raw)
        : vscode.l10n.t('This message is no longer recorded.');
    },
  });
}
