import { isObject } from '../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';
import type { Field } from './schemaForm.ts';

/** A resource, a template of resources, or a prompt, as a server lists it. All text is the server's and hostile. */
export interface Listed {
  readonly name: string;
  readonly description: string;
  /** Of a resource its URI, of a template its URI template, of a prompt nothing. */
  readonly uri: string;
  readonly raw: JsonObject;
}

/** Sends one list request; gives its result, or `undefined` when there was none. */
export type Ask = (method: string, params: JsonObject) => Promise<JsonValue | undefined>;

/** A server whose cursors never converge must not hold us for ever. */
const MAX_PAGES = 50;
const VARIABLE = /\{([+#./;?&]?)([\w.,*:%]{1,200})\}/g;

/** Reads a list page by page; a page that fails ends it with what came before. Malformed items are left out. */
export async function listAll(ask: Ask, method: string, member: string): Promise<readonly Listed[]> {
  const found: Listed[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const result = await ask(method, cursor === undefined ? {} : { cursor });
    const items = isObject(result) ? result[member] : undefined;
    if (!isObject(result) || !Array.isArray(items)) {
      break;
    }
    found.push(...items.flatMap((item: JsonValue) => readListed(item)));
    cursor = typeof result['nextCursor'] === 'string' ? result['nextCursor'] : undefined;
    if (cursor === undefined || seen.has(cursor)) {
      break;
    }
    seen.add(cursor);
  }
  return found;
}

/** The arguments of a prompt as questions; all of them are text (specification, "Prompts"). */
export function promptArguments(prompt: JsonObject): readonly Field[] {
  const args = prompt['arguments'];
  const fields = (Array.isArray(args) ? args : []).flatMap((argument: JsonValue): Field[] => {
    const name = isObject(argument) ? text(argument['name']) : undefined;
    return isObject(argument) && name !== undefined
      ? [
          {
            name,
            title: text(argument['title']) ?? name,
            description: text(argument['description']) ?? '',
            isRequired: argument['required'] === true,
            type: { kind: 'text' },
          },
        ]
      : [];
  });
  return [...fields.filter(({ isRequired }) => isRequired), ...fields.filter(({ isRequired }) => !isRequired)];
}

/** The variables of a URI template (RFC 6570) as questions; none for a plain URI. */
export function templateFields(template: string): readonly Field[] {
  const names = [...template.matchAll(VARIABLE)].flatMap((match) => namesIn(match[2] ?? ''));
  return [...new Set(names)].map((name) => ({
    name,
    title: name,
    description: template,
    isRequired: true,
    type: { kind: 'text' },
  }));
}

/** Fills in a URI template: levels 1 to 3 of RFC 6570, one value a variable. */
export function resourceUri(template: string, values: JsonObject): string {
  return template.replace(VARIABLE, (_whole, operator: string, names: string) => {
    const given = namesIn(names).flatMap((name) => {
      const value = values[name];
      return value === undefined || value === '' ? [] : [[name, String(value)] as const];
    });
    const encode = operator === '+' || operator === '#' ? encodeURI : encodeURIComponent;
    const plain = given.map(([, value]) => encode(value));
    const named = given.map(([name, value]) => `${name}=${encode(value)}`);
    switch (operator) {
      case '#':
        return plain.length === 0 ? '' : `#${plain.join(',')}`;
      case '.':
      case '/':
        return plain.map((value) => `${operator}${value}`).join('');
      case ';':
        return named.map((pair) => `;${pair}`).join('');
      case '?':
      case '&':
        return named.length === 0 ? '' : `${operator}${named.join('&')}`;
      default:
        return plain.join(',');
    }
  });
}

function namesIn(list: string): readonly string[] {
  return list.split(',').map((name) => name.split(/[*:]/, 1)[0] ?? '');
}

function readListed(item: JsonValue): Listed[] {
  if (!isObject(item)) {
    return [];
  }
  const uri = text(item['uri']) ?? text(item['uriTemplate']) ?? '';
  const name = text(item['name']) ?? uri;
  return name === ''
    ? []
    : [{ name, uri, description: (text(item['description']) ?? '').split('\n', 1)[0] ?? '', raw: item }];
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
