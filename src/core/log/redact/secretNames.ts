/**
 * What a name says of its value. `secret`: never to be kept. `token`: the same for text and long numbers, since short
 * numbers under such names count or point. `header`: the whole rest of the line. `values`: an object whose values all go.
 * `pair`: the value beside a name. `parameter`: a secret only in the query of a URL, and only when it looks like one.
 */
export type NameRule = 'secret' | 'token' | 'header' | 'values' | 'pair' | 'parameter';

export interface NameClass {
  readonly rule: NameRule;
  /** What the placeholder calls it. */
  readonly kind: string;
}

const PASSWORDS = [
  'password',
  'passwords',
  'passwd',
  'pwd',
  'passphrase',
  'passcode',
  'pswd',
  'passwort',
  'motdepasse',
];
const SECRETS = ['secret', 'secrets', 'credential', 'credentials', 'jwt', 'bearer', 'cvv', 'cvc', 'ssn', 'otp', 'totp'];
const HEADERS = ['authorization', 'cookie', 'cookies', 'dpop'];
const CONTAINERS = ['env', 'environ', 'environment'];

/** Words before `key` that make it one that opens something; a key alone finds something in a map. */
const KEY_OWNERS = new Set(
  'api access secret private auth encryption signing account storage subscription master shared deploy license ssh app application service admin root client webhook session hmac aes rsa gpg pgp decryption crypto jwt openai anthropic stripe'.split(
    ' ',
  ),
);
/** Words before `token` that make it one that points or counts. */
const PUBLIC_TOKENS = new Set(
  'progress page next previous prev continuation continue cursor sync resume end start stop eos bos pad unk max min cancel cancellation paging pagination scroll position watch list input output total special first last mask sep cls word design change delta skip current line prompt completion num'.split(
    ' ',
  ),
);
const PASS_OWNERS = new Set(
  'db smtp imap mail email user root admin ftp redis mysql pg postgres proxy ssh http basic my'.split(' '),
);
/** What may follow the word that counts. */
const SUFFIXES = new Set([
  'value',
  'values',
  'old',
  'new',
  'current',
  'confirm',
  'confirmation',
  'plaintext',
  'b64',
  'base64',
]);
const JOINED =
  /(?:password|passwd|passphrase|secret|apikey|accesskey|secretkey|privatekey|signingkey|authtoken|accesstoken|refreshtoken|idtoken|bearertoken|sessiontoken|usertoken|bottoken|apitoken)$/;
const PARAMETERS = new Set(['code', 'sig', 'signature', 'key', 'auth', 'hmac']);

const ENDINGS = new Uint8Array(1 << 15);
for (const word of [
  ...[...PASSWORDS, ...SECRETS, ...HEADERS, ...CONTAINERS, ...SUFFIXES, ...PARAMETERS],
  ...['key', 'keys', 'token', 'tokens', 'pass', 'auth', 'hash', 'pincode'],
]) {
  ENDINGS[endingOf(word, word.length)] = 1;
}

/** The last three letters before `end`, whatever their case, as a number of 15 bits. */
function endingOf(text: string, end: number): number {
  return (
    ((text.charCodeAt(end - 3) & 31) << 10) | ((text.charCodeAt(end - 2) & 31) << 5) | (text.charCodeAt(end - 1) & 31)
  );
}

/** Names of a person's own, lower case: those to hide, and those to leave. */
export interface NameChoice {
  readonly hidden: readonly string[];
  readonly shown: readonly string[];
}

const REMEMBERED = 2000;

/** Tells names by their words. Remembers what it was asked, since the same few names come for ever. */
export class SecretNames {
  private readonly known = new Map<string, NameClass | undefined>();
  private readonly hidden: ReadonlySet<string>;
  private readonly shown: ReadonlySet<string>;
  private readonly endings: Uint8Array;

  constructor({ hidden, shown }: NameChoice = { hidden: [], shown: [] }) {
    this.hidden = new Set(hidden.map((name) => name.toLowerCase()));
    this.shown = new Set(shown.map((name) => name.toLowerCase()));
    this.endings = Uint8Array.from(ENDINGS);
    for (const name of this.hidden) {
      this.endings[endingOf(name, trimmedEnd(name, name.length))] = 1;
    }
  }

  /** False for most names that are none, at the cost of a look at the last letters of the one that ends at `end`. */
  mayEndHere(text: string, end: number): boolean {
    return this.endings[endingOf(text, trimmedEnd(text, end))] === 1;
  }

  /** What the name says of its value; `undefined` when nothing. */
  classOf(name: string): NameClass | undefined {
    if (this.known.has(name)) {
      return this.known.get(name);
    }
    if (this.known.size >= REMEMBERED) {
      this.known.clear();
    }
    const found = this.judge(name);
    this.known.set(name, found);
    return found;
  }

  private judge(name: string): NameClass | undefined {
    const lower = name.toLowerCase();
    if (this.shown.has(lower)) {
      return undefined;
    }
    return this.hidden.has(lower) ? { rule: 'secret', kind: 'custom' } : classOfWords(wordsOf(name));
  }
}

function classOfWords(all: readonly string[]): NameClass | undefined {
  const words = [...all];
  while (words.length > 1 && (SUFFIXES.has(words.at(-1) ?? '') || /^\d+$/.test(words.at(-1) ?? ''))) {
    words.pop();
  }
  const last = (words.at(-1) ?? '').replace(/(?<!\d)\d+$/, '');
  const before = words.at(-2) ?? '';
  if (PASSWORDS.includes(last) || (last === 'hash' && PASSWORDS.includes(before))) {
    return { rule: 'secret', kind: 'password' };
  }
  if (last === 'pass') {
    return PASS_OWNERS.has(before) ? { rule: 'secret', kind: 'password' } : undefined;
  }
  if (HEADERS.includes(last)) {
    return { rule: 'header', kind: last === 'authorization' || last === 'dpop' ? 'authorization' : 'cookie' };
  }
  if (SECRETS.includes(last) || last === 'pincode' || (last === 'code' && before === 'pin')) {
    return { rule: 'secret', kind: 'secret' };
  }
  if (last === 'key' || last === 'keys') {
    return KEY_OWNERS.has(before) ? { rule: 'secret', kind: 'key' } : parameterOf(all, last);
  }
  if (last === 'token') {
    return PUBLIC_TOKENS.has(before) ? undefined : { rule: 'token', kind: 'token' };
  }
  if (CONTAINERS.includes(last) || (last === 'variables' && CONTAINERS.includes(before))) {
    return { rule: 'values', kind: 'env' };
  }
  if (all.length === 1 && all[0] === 'value') {
    return { rule: 'pair', kind: 'secret' };
  }
  if (JOINED.test(last)) {
    return { rule: last.endsWith('token') ? 'token' : 'secret', kind: joinedKind(last) };
  }
  return parameterOf(all, last);
}

function parameterOf(all: readonly string[], last: string): NameClass | undefined {
  return PARAMETERS.has(last) && all.length <= 3 ? { rule: 'parameter', kind: 'parameter' } : undefined;
}

function joinedKind(word: string): string {
  return word.endsWith('key')
    ? 'key'
    : word.endsWith('token')
      ? 'token'
      : word.includes('pass')
        ? 'password'
        : 'secret';
}

/** `clientSecret_2` is client, secret, 2. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Before the digits and joints that a name may end with: `PASSWORD_2`. */
function trimmedEnd(text: string, end: number): number {
  let at = end;
  for (let code = text.charCodeAt(at - 1); at > 0 && isTrailing(code); code = text.charCodeAt(at - 1)) {
    at--;
  }
  return at;
}

function isTrailing(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2d;
}
