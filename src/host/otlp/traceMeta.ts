import { attemptIds, formatTraceparent } from '../../core/export/otlp/traceContext.ts';
import type { ChainId, SessionId } from '../../protocol/events.ts';
import type { JsonObject } from '../../protocol/jsonrpc.ts';
import { readSetting } from '../manifest.ts';

/** What a request of ours carries in its `_meta` so that the server's spans join ours; nothing unless a person wants it. */
export function traceMeta(session: SessionId, chain: ChainId, attempt: number): JsonObject | undefined {
  return readSetting('otlp.injectTraceparent')
    ? { traceparent: formatTraceparent(attemptIds(session, chain, attempt)) }
    : undefined;
}
