import { safeLine } from '../../base/safeText.ts';
import { formatText } from '../../base/text.ts';
import { type Diagnosis, diagnose } from '../../core/client/diagnosis/diagnose.ts';
import { startFacts } from '../../core/client/diagnosis/startFacts.ts';
import type { ServerDefinition } from '../../protocol/definition.ts';
import type { TransportFailure } from '../../protocol/events.ts';
import { startTexts } from '../../protocol/texts/start.ts';
import type { Client } from '../client.ts';
import { sentence } from './verdictText.ts';

/** Why a server is not there and what to do about it. `code` is stable; the sentences may change. */
export interface Cause {
  readonly code: string;
  readonly sentence: string;
  readonly remedy: string;
}

/** Longest sentence: what a server wrote to stderr may be quoted. */
const MAX_SENTENCE = 600;

/** The cause of a failure by what was recorded of its connection, as the editor names it. */
export function causeOf(client: Client, definition: ServerDefinition, failure: TransportFailure): Cause {
  const connection = client.pool.connections.get(definition.id);
  // What failed is the connection itself, which knows more of it: the handshake's own limit, for one.
  const failed = connection?.state.kind === 'failed' ? connection.state.failure : failure;
  const events = connection === undefined ? [] : client.events(connection.id);
  return causeInWords(diagnose(startFacts(failed, events, definition.transport)));
}

/** The sentences of a diagnosis. */
export function causeInWords({ code, remedy, args }: Diagnosis): Cause {
  const say = (each: string) => {
    const template = startTexts[each];
    return template === undefined ? sentence(each, args) : safeLine(formatText(template, args), MAX_SENTENCE);
  };
  return { code, sentence: say(code), remedy: say(remedy) };
}

/** Both sentences, one line each; nothing without a cause. */
export function causesAsText(cause: Cause | undefined): string {
  return cause === undefined ? '' : `\ncause: ${cause.sentence}\nremedy: ${cause.remedy}\n`;
}
