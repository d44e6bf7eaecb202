import { isArray, isObject } from '../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';
import { get, getString, parseJson } from './json.ts';

/** A text block of a result, or a string that the result carries as its whole structured content. */
export interface TextNode {
  readonly text: string;
  /** JSON pointer of the text in the raw answer. */
  readonly pointer: string;
}

/** A JSON value that a result carries: its structured content, or the JSON that one of its text blocks holds. */
export interface DataNode {
  readonly value: JsonValue;
  /** Of the structured content, or of the text block that holds the JSON. */
  readonly pointer: string;
  /** True when `pointer` leads on into the value: it is structured content, not JSON inside a text. */
  readonly isStructured: boolean;
}

/** What one walk of a tool result finds. Detectors look at this and never at the result again. */
export interface ResultView {
  readonly texts: readonly TextNode[];
  readonly data: readonly DataNode[];
  /** True when there is a block that is not text: an image, audio, a resource or a link to one. */
  readonly hasOtherBlocks: boolean;
}

/** JSON in a text beyond this many UTF-16 units is content, not an envelope, and is not parsed. */
const MAX_JSON_TEXT = 1 << 20;
const MAX_BLOCKS = 1000;
const WRAPPERS = ['result', 'data', 'response', 'output'];

/** Walks a `tools/call` result once. `pointer` is where the result lies in the raw answer. */
export function viewResult(result: JsonObject, pointer: string): ResultView {
  const texts: TextNode[] = [];
  const data: DataNode[] = [];
  let hasOtherBlocks = false;
  const structured = get(result, 'structuredContent');
  if (structured !== undefined && structured !== null) {
    addData(structured, `${pointer}/structuredContent`, true, texts, data);
  }
  const content = get(result, 'content');
  for (const [index, block] of (isArray(content) ? content.slice(0, MAX_BLOCKS) : []).entries()) {
    const text = isObject(block) ? getString(block, 'text') : undefined;
    if (isObject(block) && get(block, 'type') === 'text' && text !== undefined) {
      addText(text, `${pointer}/content/${index}/text`, texts, data);
    } else {
      hasOtherBlocks = true;
    }
  }
  return { texts, data, hasOtherBlocks };
}

function addText(text: string, pointer: string, texts: TextNode[], data: DataNode[]): void {
  const parsed = text.length <= MAX_JSON_TEXT ? parseJson(unfence(text)) : undefined;
  if (typeof parsed === 'string') {
    // mcp-framework sends `JSON.stringify(string)`: the words are one level further in (protocol fact sheet, 5.1).
    texts.push({ text: parsed, pointer });
  } else if (typeof parsed === 'object' && parsed !== null) {
    addData(parsed, pointer, false, texts, data);
  } else {
    texts.push({ text, pointer });
  }
}

/** Looks through a sole `result` key and the like, which SDKs wrap round what a handler returned. */
function addData(value: JsonValue, pointer: string, isStructured: boolean, texts: TextNode[], data: DataNode[]): void {
  let inner = value;
  let innerPointer = pointer;
  for (let depth = 0; depth < 2 && isObject(inner); depth += 1) {
    const keys = Object.keys(inner);
    const key = keys[0];
    if (keys.length !== 1 || key === undefined || !WRAPPERS.includes(key)) {
      break;
    }
    const next: JsonValue = get(inner, key) ?? null;
    if (next === null) {
      break;
    }
    inner = next;
    innerPointer = isStructured ? `${innerPointer}/${key}` : innerPointer;
  }
  if (typeof inner === 'string') {
    texts.push({ text: inner, pointer: innerPointer });
  } else {
    data.push({ value: inner, pointer: innerPointer, isStructured });
  }
}

/** The inside of a text that is one fenced code block, else the text itself. */
function unfence(text: string): string {
  const trimmed = text.trim();
  const inner = /^```(?:json)?[^\S\n]*\n([\s\S]*)\n```$/.exec(trimmed)?.[1];
  return inner ?? trimmed;
}
