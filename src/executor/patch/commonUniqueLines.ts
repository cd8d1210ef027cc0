/** Lines that align two texts. Own code: the library `diff` only finds the shortest edit, in time that grows with the square of the changes. */

/** A line that both texts have, and its position in each. */
export type Anchor = { oldAt: number; newAt: number };

/**
 * The longest series of lines that occur exactly once in each text and in the same order in both. Time grows with n log n.
 * Source: patience diff, and the longest increasing subsequence by patience sorting.
 */
export const commonUniqueLines = (before: readonly string[], after: readonly string[]): Anchor[] => {
  const places = uniquePlaces(after);
  const anchors = [...uniquePlaces(before)].flatMap(([line, oldAt]): Anchor[] => {
    const newAt = places.get(line);
    return newAt === undefined ? [] : [{ oldAt, newAt }];
  });
  return longestRise(anchors);
};

/** The positions of the lines that occur once, in order. */
const uniquePlaces = (lines: readonly string[]): Map<string, number> => {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [at, line] of lines.entries()) {
    if (places.has(line)) repeated.add(line);
    else places.set(line, at);
  }
  for (const line of repeated) places.delete(line);
  return places;
};

/** An anchor, and the one before it in the longest series that ends with it. */
type Link = { anchor: Anchor; before: Link | undefined };

const longestRise = (anchors: readonly Anchor[]): Anchor[] => {
  const ends: Link[] = []; // ends[n]: the series of n + 1 anchors that ends earliest in the new text
  for (const anchor of anchors) {
    const length = firstBehind(ends, anchor.newAt);
    ends[length] = { anchor, before: ends[length - 1] };
  }
  const series: Anchor[] = [];
  for (let link = ends.at(-1); link; link = link.before) series.push(link.anchor);
  return series.reverse();
};

/** The first series that does not end before a line of the new text. */
const firstBehind = (ends: readonly Link[], newAt: number): number => {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle]?.anchor.newAt ?? newAt) < newAt) low = middle + 1;
    else high = middle;
  }
  return low;
};
