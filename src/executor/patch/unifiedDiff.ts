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
  const patch = structuredPatch('', '', before, after, '', '', { context, maxEditLength: MAX_EDITS });
  return (patch?.hunks ?? [replaced(before, after, context)]).map(showHunk).join('');
};

const showHunk = ({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): string =>
  `@@ -${showRange(oldStart, oldLines)} +${showRange(newStart, newLines)} @@\n${lines.join('\n')}\n`;

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
