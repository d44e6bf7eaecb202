// The host says in which language the page is: 98,300 rows are 98.300 in German.
const language = globalThis.document?.documentElement.lang || 'en';
const counts = new Intl.NumberFormat(language);
const tenths = new Intl.NumberFormat(language, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  useGrouping: false,
});

/** A whole number with thousands separators: "98,300". */
export function formatCount(count: number): string {
  return counts.format(count);
}

/**
 * A duration for a narrow column: "0.4 ms", "18 ms", "3.4 s", "2 min 5 s", "1 h 2 min". Units are SI symbols and need no
 * translation. Rounded before the unit is chosen, so that there is never a "1000 ms" or a "60.0 s".
 *
 * @param us microseconds, 0 or more; less counts as 0.
 */
export function formatDuration(us: number): string {
  const ms = Math.max(0, us) / 1000;
  if (ms < 0.95 && ms > 0) {
    return `${tenths.format(Math.max(0.1, ms))} ms`;
  }
  if (Math.round(ms) < 1000) {
    return `${Math.round(ms)} ms`;
  }
  if (Math.round(ms / 100) < 600) {
    return `${tenths.format(ms / 1000)} s`;
  }
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) {
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A duration for a column headed "ms": "3,412", "18", below one "0.4". */
export function formatMs(us: number): string {
  const ms = Math.max(0, us) / 1000;
  return ms < 0.95 && ms > 0 ? tenths.format(Math.max(0.1, ms)) : formatCount(Math.round(ms));
}

/** A size as the file explorer writes it, 1 KB = 1024 bytes: "512 B", "1.2 KB", "34 MB". */
export function formatBytes(bytes: number): string {
  let size = bytes;
  for (const unit of ['B', 'KB', 'MB']) {
    if (Math.round(size) < 1024) {
      return `${unit === 'B' || size >= 100 ? Math.round(size) : tenths.format(size)} ${unit}`;
    }
    size /= 1024;
  }
  return `${tenths.format(size)} GB`;
}

export interface TimeFormats {
  /** "14:02:07.114" */
  readonly precise: (us: number) => string;
  /** "14:02:07" */
  readonly short: (us: number) => string;
  /** With its date, for tooltips. */
  readonly full: (us: number) => string;
}

/**
 * Formatters of wall times in µs since the epoch. Always 24 hours with leading zeros, so that a column of times lines up.
 *
 * @param timeZone the user's own when absent.
 */
export function createTimeFormats(timeZone?: string): TimeFormats {
  const zone = timeZone === undefined ? {} : { timeZone };
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23', ...zone } as const;
  const precise = new Intl.DateTimeFormat('en-GB', { ...clock, fractionalSecondDigits: 3 });
  const short = new Intl.DateTimeFormat('en-GB', clock);
  const date = new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit', ...zone });
  const at = (format: Intl.DateTimeFormat) => (us: number) => format.format(us / 1000);
  return { precise: at(precise), short: at(short), full: (us) => `${at(date)(us)} ${at(precise)(us)}` };
}

/** Replaces each `{name}` of a translated template by its argument; an unknown name stays as it stands. */
export function fill(template: string, args: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(args, name) ? (args[name] ?? place) : place,
  );
}
