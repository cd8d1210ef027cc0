/** Hunks of a unified diff. A library finds them; how the original writes them differs from its format. */
import { type StructuredPatchHunk, structuredPatch } from 'diff';

type DiffOptions = { context: number };

/** How many removed and added lines are compared at most: the time grows with the square, to about 100 ms. */
const MAX_EDITS = 1_000;

/**
 * The hunks, without a file header; empty if the texts are the same. A count of one is left out, and a last line without a line feed is marked as in git.
 * Texts that differ too much are one hunk, from their first to their last difference.
 * Source: Codex 0.28.0, tapes `patch-*`, CORE 5.7 and 5.9.
 */
export const unifiedDiff = (before: string, after: string, { context }: DiffOptions): string => {
  const { start, end } = sharedEdges(before, after, context);
  const [old, fresh] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const patch = structuredPatch('', '', old, fresh, '', '', { context, maxEditLength: MAX_EDITS });
  const above = countBreaks(before, start);
  return (patch?.hunks ?? [replaced(old, fresh, context)]).map((hunk) => showHunk(hunk, above)).join('');
};

/** How many characters at the start and the end of both texts need not be compared: whole lines, but the shown ones. */
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

/** @param above lines of both texts that were not compared */
const showHunk = ({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk, above: number): string =>
  `@@ -${showRange(above + oldStart, oldLines)} +${showRange(above + newStart, newLines)} @@\n${lines.join('\n')}\n`;

/** An empty range is named by the line before it. */
const showRange = (start: number, count: number): string =>
  count === 1 ? `${start}` : `${count === 0 ? start - 1 : start},${count}`;

/** All that differs, removed and added as a whole. */
const replaced = (before: string, after: string, context: number): StructuredPatchHunk => {
  const [old, fresh] = [toLines(before), toLines(after)];
  const most = Math.min(old.length, fresh.length);
  let [start, end] = [0, 0];
  while (start < most && old[start] === fresh[start]) start += 1;
  while (end < most - start && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end += 1;
  const from = Math.max(0, start - context);
  const head = old.slice(from, start);
  const removed = old.slice(start, old.length - end);
  const added = fresh.slice(start, fresh.length - end);
  const tail = old.slice(old.length - end).slice(0, context);
  return {
    oldStart: from + 1,
    oldLines: head.length + removed.length + tail.length,
    newStart: from + 1,
    newLines: head.length + added.length + tail.length,
    lines: [marked(' ', head), marked('-', removed), marked('+', added), marked(' ', tail)].flat(),
  };
};

const NO_END = '\\ No newline at end of file';

const toLines = (text: string): string[] => {
  const lines = text.split('\n').map((line, at, all) => (at === all.length - 1 ? `${line}\n${NO_END}` : line));
  return text.endsWith('\n') || text === '' ? lines.slice(0, -1) : lines;
};

const marked = (mark: string, lines: readonly string[]): string[] => lines.map((line) => mark + line);
