/** Hunks of a unified diff. A library compares the lines; its own format of hunks differs from what the original sends. */
import { diffLines, type Run } from './diffLines';

/** How many unchanged lines are shown around a change. */
export type DiffOptions = { context: number };

/**
 * The hunks, without a file header; empty if the texts are the same. A count of one is left out, and a
 * last line without a line feed is marked as in git.
 * Source: Codex 0.28.0, tapes `patch-*`, CORE 5.7 and 5.9.
 */
export const unifiedDiff = (before: string, after: string, { context }: DiffOptions): string =>
  toHunks(diffLines(toLines(before), toLines(after)), context)
    .map(showHunk)
    .join('');

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

const showHunk = (hunk: PlacedRun[]): string => {
  const count = (left: Run['kind']) =>
    hunk.reduce((sum, { kind, lines }) => (kind === left ? sum : sum + lines.length), 0);
  const { oldAt = 0, newAt = 0 } = hunk[0] ?? {};
  const header = `@@ -${showRange(oldAt, count('added'))} +${showRange(newAt, count('removed'))} @@\n`;
  return header + hunk.map(({ kind, lines }) => lines.map((line) => showLine(MARKS[kind], line)).join('')).join('');
};

/** An empty range is named by the line before it. */
const showRange = (at: number, count: number): string => {
  if (count === 1) return `${at + 1}`;
  return `${count === 0 ? at : at + 1},${count}`;
};

const showLine = (mark: string, line: string): string =>
  line.endsWith('\n') ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`;
