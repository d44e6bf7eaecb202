/** What a server may put where a name or a sentence is due, each to break something else. */
const HOSTILE = {
  markup: '<img src=x onerror="document.body.dataset.owned=1"><script>document.body.dataset.owned=1</script>',
  bidi: 'a\u202Etxt.exe\u202C \u2066b\u2069 \u200Fc',
  controls: '\u0000\u0007\u001B[31mred\u001B[0m\u0008\u007F\u0085',
  invisible: 'zero\u200Bwidth\u00ADsoft\uFEFFmark\u{E0041}tag\u3164filler',
  lines: 'one\r\ntwo\nthree\u2028four\u2029five\tsix',
  rightToLeft: 'שלום עולם مرحبا',
  emoji: '👩‍👩‍👧‍👦🏳️‍🌈e\u0301'.normalize('NFD'),
  surrogate: 'lone \uD800 half',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is what is tried
  template: '${alert(1)} {0} {shown} javascript:alert(1)',
  huge: 'W'.repeat(4000),
} as const;

const ALL = Object.values(HOSTILE).join(' ');

/** Characters that nobody may see as they are: they draw nothing, or turn the rest of the line round. */
export const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u3164]/u;

/** A text with everything hostile at its end; in a message, as another member. */
export function hostile(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? JSON.stringify({ ...value, [HOSTILE.bidi]: HOSTILE })
      : `${text} ${ALL}`;
  } catch {
    return text === '' ? text : `${text} ${ALL}`;
  }
}
