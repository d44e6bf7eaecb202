import type { FilterKey } from './keys.ts';

/** `value` as a filter has to say it to mean just that, in quotes where it needs them. */
export function quoteValue(value: string): string {
  return /^[^\s()",*\\-][^\s()",*\\]*$/.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** The term that asks for any of the values: `server:github,"my files"`. */
export function filterTerm(key: FilterKey, values: readonly string[]): string {
  return `${key}:${values.map(quoteValue).join(',')}`;
}
