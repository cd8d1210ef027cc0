/** Hunks of a unified diff. A library compares the lines; its own format of hunks differs from what the original sends. */
import { diffArrays } from 'diff';

/** How many unchanged lines are shown around a change. */
type DiffOptions = { context: number };

/**
 * The hunks, without a file header; empty if the texts are the same. A count of one is left out, and a
 * last line without a line feed is marked as in git.
 * Source: Codex 0.28.0, tapes `patch-*`, CORE 5.7 and 5.9.
 */
export const unifiedDiff = (before: string, after: string, { context }: DiffOptions): string => {
  const { start, end } = sharedEdges(before, after, context);
  const middle = (text: string) => toLines(text.slice(start, text.length - end));
  const at = countBreaks(before, start);
  return toHunks(diffLines(middle(before), middle(after)), context)
    .map((hunk) => showHunk(hunk, at))
    .join('');
};

/** How many characters at the start and the end of both texts need not be compared: whole lines, without those that are shown. */
const sharedEdges = (before: string, after: string, context: number): { start: number; end: number } => {
  const most = Math.min(before.length, after.length);
  const same = sharedLength(most, (at, size) => before.slice(at, at + size) === after.slice(at, at + size));
  const ending = (text: string, at: number, size: number) => text.slice(text.length - at - size, text.length - at);
  const sameEnd = sharedLength(most - same, (at, size) => ending(before, at, size) === ending(after, at, size));
  let start = lineStart(before, same);
  let end = before.length - sameEnd;
  for (let i = 0; i < context; i += 1) start = lineStart(before, start - 1);
  for (let i = 0; i <= context; i += 1) end = before.indexOf('\n', end) + 1 || before.length; // the first may be a part of a line
  return { start, end: before.length - end };
};

/** The index at which the line of a character begins. */
const lineStart = (text: string, at: number): number => (at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1);

/** How far parts are the same: large parts are compared first, which takes a thousandth of the time of characters. */
const sharedLength = (most: number, isSame: (at: number, size: number) => boolean): number => {
  let at = 0;
  for (let size = 65_536; size >= 1; size >>= 1) while (at + size <= most && isSame(at, size)) at += size;
  return at;
};

const countBreaks = (text: string, length: number): number => {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < length; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
};

/** Lines with their line feeds. */
const toLines = (text: string): string[] => {
  const lines: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start) + 1 || text.length;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
};

/** A run and the line numbers at which it begins, from 0. */
type PlacedRun = Run & { oldAt: number; newAt: number };

const toHunks = (runs: readonly Run[], context: number): PlacedRun[][] => {
  const hunks: PlacedRun[][] = [[]];
  for (const [index, run] of place(runs).entries()) {
    const [head, tail] = shorten(run, context, { isFirst: index === 0, isLast: index === runs.length - 1 });
    if (head) hunks.at(-1)?.push(head);
    if (tail) hunks.push([tail]);
  }
  return hunks.filter((hunk) => hunk.some(({ kind }) => kind !== 'same'));
};

const place = (runs: readonly Run[]): PlacedRun[] => {
  let [oldAt, newAt] = [0, 0];
  return runs.map((run) => {
    const placed = { ...run, oldAt, newAt };
    if (run.kind !== 'added') oldAt += run.lines.length;
    if (run.kind !== 'removed') newAt += run.lines.length;
    return placed;
  });
};

/** The parts of a run that belong to the hunk before it and to the hunk after it; with only one hunk, `head` has the whole run. */
const shorten = (run: PlacedRun, context: number, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }) => {
  const { lines, kind } = run;
  const kept = (isFirst ? 0 : context) + (isLast ? 0 : context);
  if (kind !== 'same' || lines.length <= kept) return [run];
  const head = { ...run, lines: lines.slice(0, isFirst ? 0 : context) };
  const skipped = lines.length - (isLast ? 0 : context);
  const tail = { ...run, lines: lines.slice(skipped), oldAt: run.oldAt + skipped, newAt: run.newAt + skipped };
  return [head, tail];
};

const MARKS = { same: ' ', removed: '-', added: '+' } as const;

/** @param above lines of both texts that were not compared */
const showHunk = (hunk: PlacedRun[], above: number): string => {
  const count = (left: Run['kind']) =>
    hunk.reduce((sum, { kind, lines }) => (kind === left ? sum : sum + lines.length), 0);
  const { oldAt = 0, newAt = 0 } = hunk[0] ?? {};
  const header = `@@ -${showRange(above + oldAt, count('added'))} +${showRange(above + newAt, count('removed'))} @@\n`;
  return header + hunk.map(({ kind, lines }) => lines.map((line) => showLine(MARKS[kind], line)).join('')).join('');
};

/** An empty range is named by the line before it. */
const showRange = (at: number, count: number): string => {
  if (count === 1) return `${at + 1}`;
  return `${count === 0 ? at : at + 1},${count}`;
};

const showLine = (mark: string, line: string): string =>
  line.endsWith('\n') ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`;

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
    const isNext = anchor.oldAt === oldAt && anchor.newAt === newAt; // as most are
    const part = isNext ? [] : between(before.slice(oldAt, anchor.oldAt), after.slice(newAt, anchor.newAt), compare);
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
