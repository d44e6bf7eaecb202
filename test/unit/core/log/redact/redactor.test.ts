import { describe, expect, it } from 'vitest';
import { Redactor } from '../../../../../src/core/log/redact/redactor.ts';
import { JWT, LOOK_ALIKES, PEM_BODY, PLACES, TOKENS } from './secrets.ts';

const redactor = new Redactor(new Uint8Array(16));
const redact = (text: string) => redactor.redact(text, true).text;
const PLACEHOLDER = /\[redacted:[\w-]+:[0-9a-f]{6}\]/g;

describe('a secret of a known shape', () => {
  it('is known in at least 60 shapes', () => {
    expect(TOKENS.length).toBeGreaterThanOrEqual(60);
    expect(LOOK_ALIKES.length).toBeGreaterThanOrEqual(60);
  });

  it.each(TOKENS)('%s: %s', (kind, token) => {
    const places: ReadonlyArray<readonly [string, string]> = [
      ['', ''],
      ['{"text":"', '"}'],
      ['{"text":"one\\n', '\\ntwo"}'],
      ['{"text":"{\\"a\\":\\"', '\\"}"}'],
      ['see (', ').'],
      ['x=', ' y'],
    ];
    for (const [before, after] of places) {
      const redacted = redact(before + token + after);
      const [placeholder = 'none'] = redacted.match(PLACEHOLDER) ?? [];
      expect(redacted.replace(/\w{14}(?=\.\[)\./, '')).toBe(`${before}${placeholder}${after}`);
      expect(placeholder).toContain(`:${kind}:`);
    }
  });
});

describe('a secret that its place gives away', () => {
  it.each(PLACES)('%s', (_, before, secret, after) => {
    const redacted = redact(before + secret + after);
    const [placeholder = 'none'] = redacted.match(PLACEHOLDER) ?? [];
    expect(redacted).toBe(before + placeholder + after);
  });

  it.each(['RSA ', '', 'EC ', 'OPENSSH ', 'ENCRYPTED '])('is the body of a %sprivate key', (type) => {
    const [begin, end] = [`-----BEGIN ${type}PRIVATE KEY-----`, `-----END ${type}PRIVATE KEY-----`];
    for (const lineEnd of ['\n', '\\n', '\\\\n', '\\r\\n']) {
      const redacted = redact(`{"text":"${begin}${lineEnd}${PEM_BODY.join(lineEnd)}${lineEnd}${end}"}`);
      expect(redacted.replace(PLACEHOLDER, '%')).toBe(`{"text":"${begin}%${end}"}`);
    }
  });

  it.each<[string, string]>([
    ['{"pin_code":1234}', '{"pin_code":"%"}'],
    ['{"cvv": 123, "a": 5}', '{"cvv": "%", "a": 5}'],
    ['{"token":1234567}', '{"token":"%"}'],
    ['{"t":"{\\"otp\\":123456}"}', '{"t":"{\\"otp\\":\\"%\\"}"}'],
  ])('may be a number: %s', (text, expected) => {
    expect(redact(text).replace(PLACEHOLDER, '%')).toBe(expected);
  });
});

describe('what is no secret', () => {
  it.each(LOOK_ALIKES)('%s', (_, text) => {
    expect(redactor.redact(text, true)).toEqual({ text, count: 0 });
  });

  it('is kept when it is an id of the message', () => {
    const [, token] = TOKENS[2] ?? ['', ''];
    expect(redactor.redact(`{"id":"${token}"}`, true, [token]).count).toBe(0);
  });
});

describe('placeholders', () => {
  it('of equal secrets are equal, wherever they stand and however they are escaped', () => {
    const [, token = ''] = TOKENS[4] ?? [];
    const text = `{"Authorization":"Bearer ${JWT}","text":"jwt=${JWT} and ${JWT}","password":"a/b","secret":"a\\/b","x":"${token}"}`;
    const found = redact(text).match(PLACEHOLDER) ?? [];
    expect(found.length).toBe(6);
    expect(new Set(found.slice(0, 3)).size).toBe(1);
    expect(found[3]?.slice(-7)).toBe(found[4]?.slice(-7));
    expect(found[5]).not.toBe(found[0]);
  });

  it('differ from log to log', () => {
    const other = new Redactor(new Uint8Array(16).fill(1));
    expect(other.redact(JWT, false).text).not.toBe(redact(JWT));
  });

  it('are left alone when they are redacted again', () => {
    const once = redact(`{"password":"hunter2","text":"token=abc ${JWT}"}`);
    expect(redact(once)).toBe(once);
  });
});

describe('JSON', () => {
  it('stays JSON of the same structure, and everything else byte for byte', () => {
    const texts = [
      ...TOKENS.map(([, token]) => JSON.stringify({ a: [token, { text: `x\n${token}\t"${token}"` }] })),
      ...PLACES.map(([, before, secret, after]) =>
        JSON.stringify({ deep: JSON.stringify({ t: before + secret + after }) }),
      ),
      ...LOOK_ALIKES.map(([, text]) => JSON.stringify({ text, nested: JSON.stringify([text]) })),
      '{ "password" :\n "x" , "n" : 1.0e5, "n":1 , "e":"\\u00e9\\/" }',
    ];
    for (const text of texts) {
      const redacted = redact(text);
      expect(shapeOf(JSON.parse(redacted))).toEqual(shapeOf(JSON.parse(text)));
    }
    expect(redact(texts.at(-1) ?? '').replace(PLACEHOLDER, '%')).toBe(
      '{ "password" :\n "%" , "n" : 1.0e5, "n":1 , "e":"\\u00e9\\/" }',
    );
  });

  it('within a string stays JSON too', () => {
    const inner = JSON.stringify({ password: 'hunter2', pin_code: 1234, list: [{ token: 'a"b' }], after: 'kept' });
    const redacted = JSON.parse(JSON.parse(redact(JSON.stringify({ text: inner }))).text);
    expect(Object.keys(redacted)).toEqual(['password', 'pin_code', 'list', 'after']);
    expect(redacted).toMatchObject({ password: expect.stringMatching(PLACEHOLDER), after: 'kept' });
    expect(redacted.list[0].token).toMatch(PLACEHOLDER);
  });
});

describe('what a person adds', () => {
  const own = new Redactor(new Uint8Array(16), {
    hiddenNames: ['Customer_Number'],
    shownNames: ['token'],
    patterns: ['EMP-\\d{4}', '\\b\\d{16}\\b', '(a+)+$', 'x*', '(', 'n.b'],
  });
  const apply = (text: string, isJson = true) => own.redact(text, isJson).text.replace(PLACEHOLDER, '%');

  it('names', () => {
    expect(apply('{"customer_number":"42","token":"kept","password":"x"}')).toBe(
      '{"customer_number":"%","token":"kept","password":"%"}',
    );
  });

  it('patterns, which leave JSON as JSON', () => {
    expect(apply('{"card":4111111111111111,"t":"EMP-1234, EMP-5678","u":"\\nxb \\"EMP-1\\""}')).toBe(
      '{"card":"%","t":"%, %","u":"% \\"EMP-1\\""}',
    );
    expect(apply('EMP-1234', false)).toBe('%');
  });

  it('patterns that could take for ever, match nothing or are none are refused with the reason', () => {
    expect(own.refused.map(({ source, reason }) => [source, reason])).toEqual([
      ['(a+)+$', 'slow'],
      ['x*', 'empty'],
      ['(', 'syntax'],
    ]);
  });
});

describe('hostile text', () => {
  it.each([
    ['quotes', '"'],
    ['backslashes', '\\'],
    ['escaped quotes', '\\"'],
    ['colons', ':'],
    ['a name again and again', '"password":'],
    ['containers', '{"env":'],
    ['open containers', '"env":{"a":"b",'],
    ['equals signs', 'token='],
    ['dashes', '-'],
    ['options', '--token '],
    ['key beginnings', '-----BEGIN PRIVATE KEY-----'],
    ['JWT beginnings', 'eyJhbGciOiJIUzI1NiJ9.'],
    ['token characters', 'a'],
    ['URLs', '://a:'],
    ['white space', ' '],
    ['names', 'password'],
    ['headers', 'Cookie: a'],
    ['lines', 'password: '],
    ['single quotes', "'password': '"],
    ['escapes', '\\u0041":'],
    ['pairs', '"name":"password","value":'],
  ])('of %s is done with, though there is a lot of it', (_, piece) => {
    // Squared, this would be hours, and the test would end by its time limit.
    const { text } = redactor.redact(piece.repeat(1_500_000 / piece.length), true);
    expect(text.length).toBeGreaterThan(0);
  });
});

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(shapeOf);
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)])
    : 'scalar';
}
