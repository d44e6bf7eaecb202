import { isObject } from '../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';

/** What a dialog can hold, characters. */
const SHOWN = 1500;

export type Elicitation =
  | { readonly kind: 'form'; readonly message: string; readonly schema: JsonValue | undefined }
  | { readonly kind: 'url'; readonly message: string; readonly url: URL }
  /** Nothing that a person should be shown: no address of the web. */
  | { readonly kind: 'unfit' };

/** The messages of a sampling request as a person reads them, the last ones when they are many. */
export function questionOf(params: JsonObject): string {
  const { messages, systemPrompt } = params;
  const lines = [
    ...(typeof systemPrompt === 'string' ? [`system: ${systemPrompt}`] : []),
    ...(Array.isArray(messages) ? messages.map((message: JsonValue) => lineOf(message)) : []),
  ];
  const text = lines.join('\n\n');
  return text.length > SHOWN ? `…${text.slice(-SHOWN)}` : text;
}

/** A result of `sampling/createMessage` with what a person wrote in the place of a model. */
export function completion(text: string): JsonObject {
  return { role: 'assistant', content: { type: 'text', text }, model: 'user', stopReason: 'endTurn' };
}

/** An `elicitation/create` request by its mode; without one it is a form (specification, "Elicitation"). */
export function elicitationOf(params: JsonObject): Elicitation {
  const { mode, message, requestedSchema, url } = params;
  const said = typeof message === 'string' ? message.slice(0, SHOWN) : '';
  if (mode !== 'url') {
    return { kind: 'form', message: said, schema: requestedSchema };
  }
  const target = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  return target?.protocol === 'https:' || target?.protocol === 'http:'
    ? { kind: 'url', message: said, url: target }
    : { kind: 'unfit' };
}

function lineOf(message: JsonValue): string {
  if (!isObject(message)) {
    return '';
  }
  const { role, content } = message;
  const blocks = Array.isArray(content) ? content : [content ?? null];
  const said = blocks.map((block: JsonValue) =>
    isObject(block) && typeof block['text'] === 'string'
      ? block['text']
      : `[${isObject(block) && typeof block['type'] === 'string' ? block['type'] : '?'}]`,
  );
  return `${typeof role === 'string' ? role : '?'}: ${said.join('\n')}`;
}
