/** A measurement at a count of events. */
export interface Point {
  readonly events: number;
  readonly value: number;
}

/** The slope of the least-squares line, value an event; 0 of fewer than two points. */
export function slopeOf(points: readonly Point[]): number {
  const count = points.length;
  const meanX = points.reduce((sum, { events }) => sum + events, 0) / Math.max(1, count);
  const meanY = points.reduce((sum, { value }) => sum + value, 0) / Math.max(1, count);
  let [covariance, variance] = [0, 0];
  for (const { events, value } of points) {
    covariance += (events - meanX) * (value - meanY);
    variance += (events - meanX) ** 2;
  }
  return variance === 0 ? 0 : covariance / variance;
}

/** What the fitted line gains over the last half of the points, in the unit of their values. */
export function growthOfLastHalf(points: readonly Point[]): number {
  const half = points.slice(Math.floor(points.length / 2));
  const [first, last] = [half[0], half.at(-1)];
  return first === undefined || last === undefined ? 0 : slopeOf(half) * (last.events - first.events);
}
