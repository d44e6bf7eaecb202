import type { TextArgs } from '../../base/text.ts';
import { isObject, jsonText } from '../../protocol/json.ts';
import type { JsonObject, JsonValue } from '../../protocol/jsonrpc.ts';

/** A property of a schema as one question. All text is the server's and hostile. */
export interface Field {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly default?: JsonValue;
  readonly type: FieldType;
}

export type FieldType =
  | { readonly kind: 'text'; readonly format?: string; readonly minLength?: number; readonly maxLength?: number }
  | { readonly kind: 'number'; readonly isInteger: boolean; readonly min?: number; readonly max?: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly options: readonly Option[] }
  | { readonly kind: 'choices'; readonly options: readonly Option[] };

export interface Option {
  readonly value: JsonValue;
  readonly label: string;
}

/** `document`: too much for questions, so a person writes the arguments as JSON. */
export type Form = { readonly kind: 'questions'; readonly fields: readonly Field[] } | { readonly kind: 'document' };

export type FieldAnswer =
  | { readonly kind: 'value'; readonly value: JsonValue }
  /** Nothing was entered and nothing is required. */
  | { readonly kind: 'none' }
  /** `code` names a sentence in `protocol/texts.ts`. */
  | { readonly kind: 'problem'; readonly code: string; readonly args: TextArgs };

/** What makes a schema more than its properties. */
const COMPOSED: readonly string[] = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'patternProperties'];

/** Questions for a flat schema, the required ones first, each in the schema's order; else a document. Never throws. */
export function formOf(schema: JsonValue | undefined): Form {
  if (!isObject(schema)) {
    return { kind: 'questions', fields: [] };
  }
  const { properties = {}, required } = schema;
  if (!isObject(properties) || COMPOSED.some((key) => Object.hasOwn(schema, key))) {
    return { kind: 'document' };
  }
  const wanted = new Set(Array.isArray(required) ? required : []);
  const fields: Field[] = [];
  for (const [name, property] of Object.entries(properties)) {
    const field = fieldOf(name, property, wanted.has(name));
    if (field === undefined) {
      return { kind: 'document' };
    }
    fields.push(field);
  }
  return { kind: 'questions', fields: [...fields.filter(isRequired), ...fields.filter((field) => !isRequired(field))] };
}

/** Reads what was typed into a field. Patterns are not tried: a server's regular expression could hold us up for ever. */
export function readField({ isRequired: isWanted, type }: Field, text: string): FieldAnswer {
  const problem = (code: string, args: TextArgs = {}): FieldAnswer => ({ kind: 'problem', code, args });
  switch (type.kind) {
    case 'text': {
      if (text === '' && !isWanted) {
        return { kind: 'none' };
      }
      if (type.minLength !== undefined && text.length < type.minLength) {
        return problem('form.tooShort', { min: type.minLength });
      }
      if (type.maxLength !== undefined && text.length > type.maxLength) {
        return problem('form.tooLong', { max: type.maxLength });
      }
      return isOfFormat(text, type.format)
        ? { kind: 'value', value: text }
        : problem('form.badFormat', { format: type.format ?? '' });
    }
    case 'number': {
      if (text.trim() === '') {
        return isWanted ? problem('form.required') : { kind: 'none' };
      }
      const value = Number(text);
      if (!Number.isFinite(value)) {
        return problem('form.notANumber');
      }
      if (type.isInteger && !Number.isInteger(value)) {
        return problem('form.notAnInteger');
      }
      if (type.min !== undefined && value < type.min) {
        return problem('form.tooSmall', { min: type.min });
      }
      return type.max !== undefined && value > type.max
        ? problem('form.tooLarge', { max: type.max })
        : { kind: 'value', value };
    }
    default: {
      const option = (type.kind === 'boolean' ? BOOLEANS : type.options).find(({ label }) => label === text);
      return option === undefined ? problem('form.required') : { kind: 'value', value: option.value };
    }
  }
}

export const BOOLEANS: readonly Option[] = [
  { value: true, label: 'true' },
  { value: false, label: 'false' },
];

/** Names of required fields that `values` has nothing for. */
export function missingIn(fields: readonly Field[], values: JsonObject): readonly Field[] {
  return fields.filter((field) => field.isRequired && !Object.hasOwn(values, field.name));
}

/** The required members of a schema with an empty value of their type, and every default, for a person to fill in. */
export function exampleOf(schema: JsonValue | undefined): JsonObject {
  const { properties, required } = isObject(schema) ? schema : {};
  const wanted = new Set(Array.isArray(required) ? required : []);
  const members = isObject(properties) ? Object.entries(properties) : [];
  return Object.fromEntries(
    members.flatMap(([name, property]) => {
      const given = isObject(property) ? property['default'] : undefined;
      return given !== undefined ? [[name, given]] : wanted.has(name) ? [[name, emptyOf(property)]] : [];
    }),
  );
}

/**
 * A schema that refers to nothing outside of itself. Whoever checks a document against it would fetch what a server names
 * there.
 */
export function localSchema(schema: JsonValue | undefined): JsonValue {
  if (Array.isArray(schema)) {
    return schema.map((each: JsonValue) => localSchema(each));
  }
  if (!isObject(schema)) {
    return schema ?? {};
  }
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      const isOutside = typeof value === 'string' && (key === '$id' || key === 'id' || key === '$schema');
      const isForeign = key === '$ref' && typeof value === 'string' && !value.startsWith('#');
      return isOutside || isForeign ? [] : [[key, localSchema(value)]];
    }),
  );
}

function fieldOf(name: string, property: JsonValue | undefined, isWanted: boolean): Field | undefined {
  const plain = withoutNull(property);
  const type = isObject(plain) ? typeOf(plain) : undefined;
  if (!isObject(plain) || type === undefined) {
    return undefined;
  }
  const outer = isObject(property) ? property : plain;
  const given = outer['default'] ?? plain['default'];
  return {
    name,
    title: text(outer['title']) ?? text(plain['title']) ?? name,
    description: text(outer['description']) ?? text(plain['description']) ?? '',
    isRequired: isWanted,
    ...(given === undefined || given === null ? {} : { default: given }),
    type,
  };
}

function typeOf(property: JsonObject): FieldType | undefined {
  const options = optionsOf(property);
  if (options !== undefined) {
    return { kind: 'choice', options };
  }
  const { type, format, minLength, maxLength, minimum, maximum, items } = property;
  switch (type) {
    case 'string':
      return {
        kind: 'text',
        ...(typeof format === 'string' ? { format } : {}),
        ...(typeof minLength === 'number' ? { minLength } : {}),
        ...(typeof maxLength === 'number' ? { maxLength } : {}),
      };
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        isInteger: type === 'integer',
        ...(typeof minimum === 'number' ? { min: minimum } : {}),
        ...(typeof maximum === 'number' ? { max: maximum } : {}),
      };
    case 'boolean':
      return { kind: 'boolean' };
    case 'array': {
      const of = isObject(items) ? optionsOf(items) : undefined;
      return of === undefined ? undefined : { kind: 'choices', options: of };
    }
    default:
      return undefined;
  }
}

/** The values to choose from: `enum` with or without names, or a union of constants with titles. */
function optionsOf(property: JsonObject): readonly Option[] | undefined {
  const { enum: values, enumNames } = property;
  if (Array.isArray(values)) {
    const names = Array.isArray(enumNames) ? enumNames : [];
    return values.map((value: JsonValue, index) => ({ value, label: text(names[index]) ?? labelOf(value) }));
  }
  const union = property['oneOf'] ?? property['anyOf'];
  if (
    Array.isArray(union) &&
    union.length > 0 &&
    union.every((each) => isObject(each) && each['const'] !== undefined)
  ) {
    return union.flatMap((each: JsonValue) =>
      isObject(each) && each['const'] !== undefined
        ? [{ value: each['const'], label: text(each['title']) ?? labelOf(each['const']) }]
        : [],
    );
  }
  return undefined;
}

/** `anyOf: [X, null]` and `type: [x, null]` are an optional X, as generators write it. */
function withoutNull(property: JsonValue | undefined): JsonValue | undefined {
  if (!isObject(property)) {
    return property;
  }
  const { anyOf, type } = property;
  if (Array.isArray(anyOf)) {
    const others = anyOf.filter((each: JsonValue) => !(isObject(each) && each['type'] === 'null'));
    return others.length === 1 && anyOf.length > 1 ? others[0] : property;
  }
  if (Array.isArray(type)) {
    const others = type.filter((each) => each !== 'null');
    return others.length === 1 && others[0] !== undefined ? { ...property, type: others[0] } : property;
  }
  return property;
}

function isOfFormat(value: string, format: string | undefined): boolean {
  switch (format) {
    case 'uri':
      return URL.canParse(value);
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(value);
    case 'date':
      return /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
    case 'date-time':
      return /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));
    default:
      return true;
  }
}

function emptyOf(property: JsonValue | undefined): JsonValue {
  const plain = withoutNull(property);
  switch (isObject(plain) ? plain['type'] : undefined) {
    case 'number':
    case 'integer':
      return 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return exampleOf(plain);
    default: {
      const first = isObject(plain) ? optionsOf(plain)?.[0] : undefined;
      return first?.value ?? '';
    }
  }
}

function labelOf(value: JsonValue): string {
  return typeof value === 'string' ? value : jsonText(value);
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isRequired(field: Field): boolean {
  return field.isRequired;
}
