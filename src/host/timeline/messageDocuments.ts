import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { ReadableLog } from '../recording.ts';
import { prettyPrint, wholeText } from './messageText.ts';

const SCHEME = 'faultline-message';

/**
 * The address under which a message opens as a read-only document, laid out or as on the wire: a recorded one, or one of
 * a session file. Without a `seq` a document that says that there is none.
 */
export function messageUri(seq: number | undefined, file = '', isRaw = false): vscode.Uri {
  const path = seq === undefined ? '/no-answer.txt' : `/message-${seq}.${isRaw ? 'raw.txt' : 'json'}`;
  return vscode.Uri.from({ scheme: SCHEME, path, query: file });
}

/** Serves messages as documents, whole. `logOf` gives the log of a session file, that of the window for `''`. */
export function registerMessageDocuments(logOf: (file: string) => ReadableLog | undefined): Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: (uri) => {
      if (uri.path === '/no-answer.txt') {
        return vscode.l10n.t('There was no answer.');
      }
      const [, digits, type] = /^\/message-(\d+)\.(json|raw\.txt)$/.exec(uri.path) ?? [];
      const seq = Number(digits ?? Number.NaN);
      const body = Number.isSafeInteger(seq) ? logOf(uri.query)?.get(seq)?.body : undefined;
      if (body?.kind !== 'message' && body?.kind !== 'noise') {
        return vscode.l10n.t('This message is no longer recorded.');
      }
      return type === 'json' ? prettyPrint(body.raw) : wholeText(body);
    },
  });
}
