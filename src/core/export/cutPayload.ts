/** Lengths that strings are cut to, one after another, until the whole is short enough. */
const STRING_LENGTHS = [4096, 512, 64];

/** Items of a list, and members of an object, that stay when cutting strings is not enough. */
const KEPT_ITEMS = 20;

/**
 * A message cut to at most about `maxLength` UTF-16 code units. JSON stays JSON as long as that suffices, with long strings
 * cut first and long lists then, so that the answer can still be judged; else the beginning is all that stays.
 */
export function cutPayload(raw: string, maxLength: number): string {
  if (raw.length <= maxLength) {
    return raw;
  }
  try {
    const value: unknown = JSON.parse(raw);
    for (const limits of [
      ...STRING_LENGTHS.map((length) => ({ length, items: Number.POSITIVE_INFINITY })),
      { length: 64, items: KEPT_ITEMS },
    ]) {
      const cut = JSON.stringify(value, (_key, member: unknown) => cutMember(member, limits));
      if (cut.length <= maxLength) {
        return cut;
      }
    }
  } catch {
    // No JSON, or nested so deeply that it cannot be written again.
  }
  return `${raw.slice(0, maxLength)}${leftOut(raw.length - maxLength, 'characters')}`;
}

interface Limits {
  readonly length: number;
  readonly items: number;
}

function cutMember(member: unknown, { length, items }: Limits): unknown {
  if (typeof member === 'string' && member.length > length) {
    return `${member.slice(0, length)}${leftOut(member.length - length, 'characters')}`;
  }
  return Array.isArray(member) && member.length > items
    ? [...member.slice(0, items), leftOut(member.length - items, 'items')]
    : member;
}

function leftOut(count: number, unit: string): string {
  return `… (${count} ${unit} left out)`;
}
