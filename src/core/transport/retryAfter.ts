const MONTHS = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
/** The three forms of RFC 9110 §5.6.7: IMF-fixdate, RFC 850 and asctime. */
const HTTP_DATES: readonly RegExp[] = [
  new RegExp(`^[A-Z][a-z]{2}, \\d{2} (${MONTHS}) \\d{4} \\d{2}:\\d{2}:\\d{2} GMT$`),
  new RegExp(`^[A-Z][a-z]{5,8}, \\d{2}-(${MONTHS})-\\d{2} \\d{2}:\\d{2}:\\d{2} GMT$`),
  new RegExp(`^[A-Z][a-z]{2} (${MONTHS}) [ \\d]\\d \\d{2}:\\d{2}:\\d{2} \\d{4}$`),
];

/**
 * Milliseconds to wait by a `Retry-After` header (RFC 9110 §10.2.3): whole seconds, or a date counted from `nowMs` (wall
 * time since the epoch), 0 when it has passed. Decimal seconds, which some servers send, are taken too. `undefined` when
 * there is no header or it is of neither form. No upper limit is put on it here.
 */
export function retryAfterMs(header: string | null | undefined, nowMs: number): number | undefined {
  const value = header?.trim() ?? '';
  if (/^\d{1,12}(\.\d{1,9})?$/.test(value)) {
    return Math.ceil(Number(value) * 1000);
  }
  if (!HTTP_DATES.some((form) => form.test(value))) {
    return undefined;
  }
  const at = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
