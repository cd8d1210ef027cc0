/** Which lines two texts share. */
import { diffArrays } from 'diff';

/** A run of lines that are the same in both texts, or of lines that only the old or only the new one has. */
export type Run = { kind: 'same' | 'removed' | 'added'; lines: readonly string[] };

/** How many removed and added lines are compared at most: the time grows with the square, to about 50 ms. */
const MAX_EDITS = 500;
/** The same limit, squared, for all parts of a text together. */
const MAX_COST = 4 * MAX_EDITS ** 2;

/**
 * The shortest edit from one list of lines to the other, as long as they do not differ too much; otherwise they are split at lines that occur once in
 * both, and parts between them that differ too much are removed and added as a whole. Removed lines come before the added lines that replace them.
 */
export const diffLines = (before: readonly string[], after: readonly string[]): Run[] => {
  let budget = MAX_COST;
  const shortest = (old: string[], fresh: string[]): Run[] | undefined => {
    const maxEditLength = Math.min(MAX_EDITS, Math.floor(Math.sqrt(budget)));
    const changes = maxEditLength > 0 ? diffArrays(old, fresh, { maxEditLength }) : undefined;
    const edits = changes?.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0);
    budget -= (edits ?? maxEditLength) ** 2;
    return changes?.map(({ added, removed, value }) => ({
      kind: removed ? 'removed' : added ? 'added' : 'same',
      lines: value,
    }));
  };
  return between(before, after, (old, fresh) => shortest(old, fresh) ?? splitAtUnique(old, fresh, shortest));
};

type Compare = (before: string[], after: string[]) => Run[] | undefined;

/** Leaves the common start and end out of the comparison. */
const between = (before: readonly string[], after: readonly string[], compare: Compare): Run[] => {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  const replaced: Run[] = [
    { kind: 'removed', lines: removed },
    { kind: 'added', lines: added },
  ];
  const isReplaced = removed.length === 0 || added.length === 0;
  const runs: Run[] = [
    { kind: 'same', lines: before.slice(0, start) },
    ...((isReplaced ? undefined : compare(removed, added)) ?? replaced),
    { kind: 'same', lines: before.slice(before.length - end) },
  ];
  return runs.filter(({ lines }) => lines.length > 0);
};

const splitAtUnique = (before: string[], after: string[], compare: Compare): Run[] | undefined => {
  const anchors = commonUniqueLines(before, after);
  if (anchors.length === 0) return undefined;
  let [oldAt, newAt] = [0, 0];
  const runs = [...anchors, { oldAt: before.length, newAt: after.length }].flatMap((anchor) => {
    const part = between(before.slice(oldAt, anchor.oldAt), after.slice(newAt, anchor.newAt), compare);
    [oldAt, newAt] = [anchor.oldAt + 1, anchor.newAt + 1];
    return [...part, { kind: 'same' as const, lines: before.slice(anchor.oldAt, oldAt) }];
  });
  return joinRuns(runs);
};

/** Adjacent runs of one kind become one run. */
const joinRuns = (runs: readonly Run[]): Run[] => {
  const joined: { kind: Run['kind']; lines: string[] }[] = [];
  for (const { kind, lines } of runs) {
    const last = joined.at(-1);
    if (last?.kind !== kind) joined.push({ kind, lines: [...lines] });
    else for (const line of lines) last.lines.push(line);
  }
  return joined;
};

const commonStart = (a: readonly string[], b: readonly string[]): number => {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[length] === b[length]) length += 1;
  return length;
};

const commonEnd = (a: readonly string[], b: readonly string[], start: number): number => {
  const most = Math.min(a.length, b.length) - start;
  let length = 0;
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length += 1;
  return length;
};

/** A line that both texts have, and its position in each. */
type Anchor = { oldAt: number; newAt: number };

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
