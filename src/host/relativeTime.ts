const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** "2 minutes ago" in a language, in the largest unit of which there is one, rounded. A moment to come counts as now. */
export function ago(thenMs: number, nowMs: number, language: string): string {
  const seconds = Math.max(0, Math.round((nowMs - thenMs) / 1000));
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? (['second', 1] as const);
  return new Intl.RelativeTimeFormat(language).format(-Math.round(seconds / size), unit);
}
