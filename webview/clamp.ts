/** `value`, or the bound that it is beyond. `low` wins where the bounds cross. */
export function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
