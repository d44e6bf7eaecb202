import * as vscode from 'vscode';
import { refusalOf } from '../../core/replay/recordedRequest.ts';
import type { Exchange } from '../../protocol/exchange.ts';

const { t } = vscode.l10n;

/** Why Replay is not offered for an exchange; `undefined` when it is. Part of what activation loads. */
export function replayRefusal(exchange: Exchange | undefined): string | undefined {
  const refusal = exchange === undefined ? undefined : refusalOf(exchange);
  switch (refusal?.code) {
    case 'replay.refused.handshake':
      return t('The handshake is replayed by restarting the server.');
    case 'replay.refused.bound':
      return t('This request says something only within the connection that it was sent over.');
    case undefined:
      return exchange === undefined ? t('Only a request of the client can be replayed.') : undefined;
    default:
      return t('Only a request of the client can be replayed.');
  }
}
