import type { TimelineRequests } from '../../protocol/webview.ts';

/** Where the pages begin that stand in the place of one that was asked for, when there are `total` rows; none without a page. */
export function pagesFor({ from, count }: TimelineRequests['rows']['params'], total: number): readonly number[] {
  if (count === 0 || total === 0) {
    return [];
  }
  const last = Math.floor((total - 1) / count) * count;
  // The end of a list rarely fills its last page, and the end is what a tail shows.
  return from < last ? [from] : [last, ...(last > 0 && total - last < count / 2 ? [last - count] : [])];
}
