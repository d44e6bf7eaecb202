import { wordsOf } from '../../../base/words.ts';
import type { JudgedRequest } from '../../../protocol/call.ts';
import { isArray, isObject } from '../../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../../protocol/jsonrpc.ts';
import { get, getString, isEmptyValue } from '../json.ts';

/** Keys that describe how an operation went, as against what it brought. */
const ENVELOPE = new Set(
  `success ok succeeded successful status state error errors message msg code reason reasons detail details description hint
  hints help suggestion suggestions type kind title exception stack stacktrace trace traceback timestamp time date path
  requestid traceid correlationid statuscode statustext httpstatus httpcode errorcode errormessage errortype errorname errno
  syscall cause retryable retry retryafter retryaftersec iserror failed failure haserror warnings warning info instance
  documentationurl doc docs docurl moreinfo link duration durationms elapsed elapsedms took version meta metadata jsonrpc id
  response level severity category solution troubleshooting fehler meldung erreur mensaje mensagem messaggio`.split(
    /\s+/,
  ),
);

/** The last resort of a key's spelling: `error_code`, `errorCode` and `Error-Code` are the same. */
export function normalKey(key: string): string {
  return key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * The keys of `object` that carry something the caller did not know: not the envelope, not empty, and not an argument
 * given back. An object without any says only how the operation went.
 */
export function payloadKeys(object: JsonObject, request: JudgedRequest): readonly string[] {
  const known = argumentValues(request);
  return Object.keys(object).filter((key) => {
    const value = get(object, key);
    if (ENVELOPE.has(normalKey(key)) || isEmptyValue(value)) {
      return false;
    }
    return !(
      (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') &&
      known.has(value)
    );
  });
}

/** The strings and numbers that the caller gave, one level deep. */
export function argumentValues(request: JudgedRequest): ReadonlySet<JsonValue> {
  const values = new Set<JsonValue>();
  const given = request.params === undefined ? undefined : get(request.params, 'arguments');
  for (const value of isObject(given) ? Object.values(given) : []) {
    for (const item of isArray(value) ? value.slice(0, 1000) : [value]) {
      if (typeof item === 'string' || typeof item === 'number') {
        values.add(item);
      }
    }
  }
  return values;
}

const NO_ERROR =
  /^(?:none|null|nil|no|no errors?|ok|success|n\/a|-|0|undefined|false|keine?r?|aucune?|ninguno|nenhum|nessuno)$/i;

/** The words of a non-null error member, or `undefined` when the member says that there is none. */
export function errorWords(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') {
    return value.trim() === '' || NO_ERROR.test(value.trim()) ? undefined : value;
  }
  if (value === true) {
    return '';
  }
  if (isObject(value)) {
    const keys = ['message', 'msg', 'error', 'detail', 'details', 'reason', 'description', 'title', 'code', 'type'];
    const words = keys.flatMap((key) => {
      const part = get(value, key);
      return typeof part === 'string' || (typeof part === 'number' && part !== 0) ? [String(part)] : [];
    });
    return words.length === 0 ? undefined : words.join(' ');
  }
  return undefined;
}

const BAD_STATUS = new Set(
  `error errored failed failure fail fatal rejected denied aborted crashed ko fehler fehlgeschlagen erreur échec échoué
  fallo fallido erro falha errore fallito timeout timedout unavailable unauthorized forbidden notfound`.split(/\s+/),
);

/** True for a status word or number that stands for failure. */
export function isBadStatus(value: JsonValue | undefined): boolean {
  if (typeof value === 'number') {
    return Number.isInteger(value) && value >= 400 && value <= 599;
  }
  return typeof value === 'string' && (BAD_STATUS.has(normalKey(value)) || /^[45]\d\d$/.test(value));
}

/** Every sentence in an envelope that may name the cause, joined. */
export function causeIn(object: JsonObject): string {
  const keys = Object.keys(object).filter((key) =>
    /error|message|msg|reason|detail|cause|description|hint|exception|warning|fehler|meldung|erreur|mensa|messag|code|status/i.test(
      key,
    ),
  );
  return keys
    .slice(0, 20)
    .flatMap((key) => {
      const value = get(object, key);
      const list = isArray(value) ? value.slice(0, 10) : [value];
      return list.map((item) => (typeof item === 'number' ? `${key} ${item}` : (errorWords(item) ?? '')));
    })
    .filter((words) => words !== '')
    .join('; ');
}

/** What an item of a batch is called: its name, id, path or the like, else `#index`. */
export function itemName(item: JsonValue | undefined, index: number): string {
  if (typeof item === 'string' || typeof item === 'number') {
    return String(item).slice(0, 120);
  }
  if (isObject(item)) {
    const keys = [
      'name',
      'id',
      'path',
      'file',
      'filename',
      'fileName',
      'key',
      'uri',
      'url',
      'title',
      'item',
      'input',
      'row',
      'line',
      'index',
      'email',
      'sku',
    ];
    const own = Object.keys(item).find((key) => /(?:id|name|path|key|url|file)$/i.test(key));
    for (const key of own === undefined ? keys : [...keys, own]) {
      const value = get(item, key);
      if ((typeof value === 'string' && value !== '') || typeof value === 'number') {
        return String(value).slice(0, 120);
      }
    }
  }
  return `#${index}`;
}

/** True for what looks like one entity with a state of its own, such as a job that a tool was asked to look up. */
export function isEntity(object: JsonObject): boolean {
  const hasName = Object.keys(object).some((key) => {
    const words = wordsOf(key);
    return ['id', 'uuid', 'name', 'key', 'number', 'sha', 'slug'].includes(words.at(-1) ?? '');
  });
  return (
    hasName &&
    (getString(object, 'status') ?? getString(object, 'state') ?? getString(object, 'conclusion')) !== undefined
  );
}
