/** Hunks of a unified diff. A library finds them; how the original writes them differs from its format. */
import { type StructuredPatchHunk, structuredPatch } from 'diff';
import { toBuffer } from '../../streams/bytes/toBuffer';
import { showText } from './encoding';

type DiffOptions = { context: number };

/** How many removed and added lines are compared at most: the time grows with the square, to about 100 ms. */
const MAX_EDITS = 1_000;
/** As many of each file are compared, however many files there are. */
const MIN_EDITS = 50;

/**
 * Compares the files of one patch, or of one turn: shows the hunks of two texts in UTF-8, without a file header; empty if they are the same. A count of one
 * is left out, and a last line without a line feed is marked as in git. Texts that differ too much are one hunk, from their first to their last
 * difference; so are further texts when all before have taken the time of such a text. Only what differs is decoded.
 * Source: Codex 0.28.0, tapes `patch-*`, CORE 5.7 and 5.9.
 */
export const unifiedDiffs = ({ context }: DiffOptions): ((before: Uint8Array, after: Uint8Array) => string) => {
  let left = MAX_EDITS ** 2;
  return (before, after) => {
    const [first, last] = [toBuffer(before), toBuffer(after)];
    if (first.length === 0) return showWhole('+', last);
    if (last.length === 0) return showWhole('-', first);
    const { start, end } = sharedEdges(first, last, context);
    const [old = '', fresh = ''] = [first, last].map((file) => showText(file.subarray(start, file.length - end)));
    const maxEditLength = Math.max(MIN_EDITS, Math.floor(Math.sqrt(left)));
    const patch = structuredPatch('', '', old, fresh, '', '', { context, maxEditLength });
    left = Math.max(0, left - (patch ? editsIn(patch.hunks) : maxEditLength) ** 2);
    const above = countBreaks(first, start);
    return (patch?.hunks ?? [replaced(old, fresh, context)]).map((hunk) => showHunk(hunk, above)).join('');
  };
};

const editsIn = (hunks: readonly StructuredPatchHunk[]): number =>
  hunks.flatMap(({ lines }) => lines).filter((line) => !line.startsWith(' ')).length;

/** How many bytes at the start and the end of both texts need not be compared: whole lines, but the shown ones. */
const sharedEdges = (before: Buffer, after: Buffer, context: number): { start: number; end: number } => {
  const most = Math.min(before.length, after.length);
  const isSame = (at: number, from: number, size: number) =>
    before.compare(after, from, from + size, at, at + size) === 0;
  const same = sharedLength(most, (at, size) => isSame(at, at, size));
  const sameEnd = sharedLength(most - same, (at, size) =>
    isSame(before.length - at - size, after.length - at - size, size),
  );
  let start = lineStart(before, same);
  let end = before.length - sameEnd;
  for (let i = 0; i < context; i += 1) start = lineStart(before, start - 1);
  for (let i = 0; i <= context; i += 1) end = before.indexOf(LF, end) + 1 || before.length; // the first may be a part of a line
  return { start, end: before.length - end };
};

const LF = 10;

/** The index at which the line of a byte begins. */
const lineStart = (text: Buffer, at: number): number => (at <= 0 ? 0 : text.lastIndexOf(LF, at - 1) + 1);

/** How far parts are the same: large parts are compared first, which takes a thousandth of the time of bytes. */
const sharedLength = (most: number, isSame: (at: number, size: number) => boolean): number => {
  let at = 0;
  for (let size = 65_536; size >= 1; size >>= 1) while (at + size <= most && isSame(at, size)) at += size;
  return at;
};

const countBreaks = (text: Buffer, length: number): number => {
  let count = 0;
  for (let at = text.indexOf(LF); at >= 0 && at < length; at = text.indexOf(LF, at + 1)) count += 1;
  return count;
};

/** A text that is added or removed as a whole. One global replacement takes a fraction of the memory of a list of lines. */
const showWhole = (mark: '+' | '-', file: Buffer): string => {
  if (file.length === 0) return '';
  const isEnded = file.at(-1) === LF;
  const text = showText(isEnded ? file.subarray(0, -1) : file);
  const count = countBreaks(file, file.length) + (isEnded ? 0 : 1);
  const [old, fresh] = mark === '+' ? [0, count] : [count, 0];
  const lines = text.replace(/\n/g, `\n${mark}`);
  return `@@ -${showRange(1, old)} +${showRange(1, fresh)} @@\n${mark}${lines}\n${isEnded ? '' : `${NO_END}\n`}`;
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
