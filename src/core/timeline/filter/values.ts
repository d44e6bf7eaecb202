/** Units of durations in ms. */
const DURATION_UNITS: Readonly<Record<string, number>> = {
  us: 0.001,
  µs: 0.001,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Units of sizes in bytes, 1024 to the next as the timeline shows them. */
const SIZE_UNITS: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

const UNITS = { duration: DURATION_UNITS, size: SIZE_UNITS } as const;

/** The units that a person may write, for telling them. */
export const UNIT_NAMES = { duration: 'ms, s, m, h, d', size: 'b, kb, mb, gb' } as const;

const NUMBER = /^([+-]?\d{1,15}(?:\.\d{1,9})?)([a-zµ]*)$/i;
const INTEGER = /^[+-]?\d{1,15}$/;
const MOMENT = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?(Z)?$/i;

export type ReadNumber = { readonly value: number; readonly hasUnit: boolean } | 'no-number' | 'no-unit';

/** Reads `1.5s` as 1500 or `10kb` as 10240; without a unit the number is in ms or bytes. */
export function readQuantity(text: string, type: 'duration' | 'size'): ReadNumber {
  const found = NUMBER.exec(text);
  if (found === null) {
    return 'no-number';
  }
  const [, number = '', unit = ''] = found;
  const name = unit.toLowerCase();
  const factor = unit === '' ? 1 : Object.hasOwn(UNITS[type], name) ? UNITS[type][name] : undefined;
  return factor === undefined ? 'no-unit' : { value: Number(number) * factor, hasUnit: unit !== '' };
}

/** A whole number, or `undefined`. */
export function readInteger(text: string): number | undefined {
  return INTEGER.test(text) ? Number(text) : undefined;
}

/**
 * `2026-01-31`, `2026-01-31T14:02` or with seconds and their fraction, of this machine's time zone unless `Z` follows, in µs
 * since the epoch. `undefined` when it is none, or no day of the calendar.
 */
export function readMoment(text: string): number | undefined {
  const found = MOMENT.exec(text);
  if (found === null) {
    return undefined;
  }
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const date = new Date(0);
  const isUtc = found[8] !== undefined;
  if (isUtc) {
    date.setUTCFullYear(year, month - 1, day);
    date.setUTCHours(hour, minute, second, 0);
  } else {
    date.setFullYear(year, month - 1, day);
    date.setHours(hour, minute, second, 0);
  }
  const isSame =
    (isUtc ? date.getUTCMonth() : date.getMonth()) === month - 1 && hour < 24 && minute < 60 && second < 60;
  const isDay = (isUtc ? date.getUTCDate() : date.getDate()) === day;
  const fraction = Number((found[7] ?? '').padEnd(6, '0'));
  return isSame && isDay ? date.getTime() * 1000 + fraction : undefined;
}
