import { describe, expect, it } from 'vitest';
import {
  exampleOf,
  type Field,
  type FieldType,
  formOf,
  localSchema,
  missingIn,
  readField,
} from '../../../../src/host/calls/schemaForm.ts';
import type { JsonValue } from '../../../../src/protocol/jsonrpc.ts';
import { TEXTS } from '../../../../src/protocol/texts.ts';

const object = (properties: { [name: string]: JsonValue }, required: string[] = []): JsonValue => ({
  type: 'object',
  properties,
  required,
});
const field = (name: string, type: FieldType, more: Partial<Field> = {}): Field => ({
  name,
  title: name,
  description: '',
  isRequired: false,
  type,
  ...more,
});

describe('a form', () => {
  it.each<readonly [string, JsonValue | undefined, readonly Field[]]>([
    ['no schema', undefined, []],
    ['no properties', { type: 'object' }, []],
    [
      'the required ones first',
      object({ b: { type: 'string' }, a: { type: 'string', description: 'The A', title: 'Ay' } }, ['a']),
      [
        field('a', { kind: 'text' }, { isRequired: true, description: 'The A', title: 'Ay' }),
        field('b', { kind: 'text' }),
      ],
    ],
    [
      'limits and defaults',
      object({
        n: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
        s: { type: 'string', maxLength: 5, format: 'uri' },
      }),
      [
        field('n', { kind: 'number', isInteger: true, min: 1, max: 9 }, { default: 3 }),
        field('s', { kind: 'text', format: 'uri', maxLength: 5 }),
      ],
    ],
    [
      'choices of every spelling',
      object({
        a: { type: 'string', enum: ['x', 'y'], enumNames: ['Ex', 'Why'] },
        b: { enum: [1, null] },
        c: { oneOf: [{ const: 'x', title: 'Ex' }, { const: 'y' }] },
        d: { type: 'array', items: { type: 'string', enum: ['x'] } },
        e: { type: 'boolean', default: false },
      }),
      [
        field('a', {
          kind: 'choice',
          options: [
            { value: 'x', label: 'Ex' },
            { value: 'y', label: 'Why' },
          ],
        }),
        field('b', {
          kind: 'choice',
          options: [
            { value: 1, label: '1' },
            { value: null, label: 'null' },
          ],
        }),
        field('c', {
          kind: 'choice',
          options: [
            { value: 'x', label: 'Ex' },
            { value: 'y', label: 'y' },
          ],
        }),
        field('d', { kind: 'choices', options: [{ value: 'x', label: 'x' }] }),
        field('e', { kind: 'boolean' }, { default: false }),
      ],
    ],
    [
      'what may be null as optional',
      object({
        a: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, title: 'A' },
        b: { type: ['integer', 'null'] },
      }),
      [field('a', { kind: 'text' }, { title: 'A' }), field('b', { kind: 'number', isInteger: true })],
    ],
  ])('asks for %s', (_name, schema, fields) => {
    expect(formOf(schema)).toEqual({ kind: 'questions', fields });
  });

  it.each<readonly [string, JsonValue]>([
    ['an object', object({ a: { type: 'object' } })],
    ['a list', object({ a: { type: 'array', items: { type: 'string' } } })],
    ['a reference', object({ a: { $ref: '#/$defs/a' } })],
    ['a union', object({ a: { anyOf: [{ type: 'string' }, { type: 'number' }] } })],
    ['no type', object({ a: {} })],
    ['no schema', object({ a: true })],
    ['a composed schema', { type: 'object', oneOf: [{}] }],
    ['properties that are none', { properties: [] }],
  ])('is a document for %s', (_name, schema) => {
    expect(formOf(schema)).toEqual({ kind: 'document' });
  });
});

describe('an answer', () => {
  const number = (isInteger: boolean): FieldType => ({ kind: 'number', isInteger, min: 1, max: 9 });
  it.each<readonly [FieldType, boolean, string, unknown]>([
    [{ kind: 'text' }, true, '', ''],
    [{ kind: 'text' }, false, '', 'none'],
    [{ kind: 'text', minLength: 2 }, true, 'a', 'form.tooShort'],
    [{ kind: 'text', maxLength: 2 }, true, 'abc', 'form.tooLong'],
    [{ kind: 'text', format: 'uri' }, true, 'nope', 'form.badFormat'],
    [{ kind: 'text', format: 'uri' }, true, 'file:///x', 'file:///x'],
    [{ kind: 'text', format: 'email' }, true, 'a@b', 'a@b'],
    [{ kind: 'text', format: 'date' }, true, '2026-13-01', 'form.badFormat'],
    [{ kind: 'text', format: 'date-time' }, true, '2026-11-30T10:00:00Z', '2026-11-30T10:00:00Z'],
    [{ kind: 'text', format: 'whatever' }, true, 'x', 'x'],
    [number(true), true, '', 'form.required'],
    [number(true), false, ' ', 'none'],
    [number(true), true, '1.5', 'form.notAnInteger'],
    [number(false), true, '1.5', 1.5],
    [number(false), true, 'x', 'form.notANumber'],
    [number(false), true, '0', 'form.tooSmall'],
    [number(false), true, '10', 'form.tooLarge'],
    [{ kind: 'boolean' }, true, 'true', true],
    [{ kind: 'boolean' }, true, 'yes', 'form.required'],
    [{ kind: 'choice', options: [{ value: 7, label: 'seven' }] }, true, 'seven', 7],
  ])('to %j (required: %s) of %j is %j', (type, isRequired, text, expected) => {
    const answer = readField(field('a', type, { isRequired }), text);
    expect(answer.kind === 'value' ? answer.value : answer.kind === 'none' ? 'none' : answer.code).toEqual(expected);
    if (answer.kind === 'problem') {
      expect(TEXTS[answer.code]).toBeDefined();
    }
  });

  it('is missing only where it is required', () => {
    const fields = [field('a', { kind: 'text' }, { isRequired: true }), field('b', { kind: 'text' })];
    expect(missingIn(fields, {}).map(({ name }) => name)).toEqual(['a']);
    expect(missingIn(fields, { a: '' })).toEqual([]);
  });
});

describe('a document', () => {
  it('begins with what is required and what has a default', () => {
    const schema = object(
      {
        a: { type: 'string' },
        b: { type: 'integer' },
        c: object({ d: { type: 'boolean' } }, ['d']),
        e: { type: 'array' },
        f: { enum: ['x'] },
        g: { default: 5 },
        h: { type: 'string' },
      },
      ['a', 'b', 'c', 'e', 'f'],
    );
    expect(exampleOf(schema)).toEqual({ a: '', b: 0, c: { d: false }, e: [], f: 'x', g: 5 });
  });

  it('is checked by a schema that fetches nothing', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://a.test/x',
      properties: { a: { $ref: 'http://169.254.169.254/' }, b: { $ref: '#/$defs/b' }, id: { type: 'string' } },
      allOf: [{ $ref: 'file:///etc/passwd' }],
    };
    expect(localSchema(schema)).toEqual({
      properties: { a: {}, b: { $ref: '#/$defs/b' }, id: { type: 'string' } },
      allOf: [{}],
    });
  });
});
