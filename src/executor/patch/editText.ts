/** Makes the new text of a file from the places of its chunks. */

import { type FileText, lineEndOf, toFileText } from './fileText';
import type { MatchFailure, Placement } from './matching/placeChunks';
import { oldLines } from './matching/placeChunks';

/** Lines to put into a text. */
type Edits = {
  removed: ReadonlySet<number>;
  /** `inserted.get(n)` is put before line n. */
  inserted: ReadonlyMap<number, readonly string[]>;
  /** Put after everything else. */
  appended: readonly string[];
};

/**
 * The new text. Lines that no chunk removes keep every byte, even if a chunk matched them loosely. New lines end like the line
 * before them. The end of the file stays as it is: with or without a line feed.
 * Fails if two chunks remove the same line.
 * Source: Codex 0.28.0, CORE 6.6; there touched lines lost their blanks and carriage returns, and lines put at the end of
 * a file were misplaced by later chunks.
 */
export const editText = (text: string, placements: readonly Placement[]): string | MatchFailure => {
  const file = toFileText(text);
  const edits = toEdits(file, placements);
  return 'kind' in edits ? edits : join(text, file, edits);
};

const toEdits = (file: FileText, placements: readonly Placement[]): Edits | MatchFailure => {
  const removed = new Set<number>();
  const inserted = new Map<number, string[]>();
  for (const placement of placements) {
    if (placement.at === 'end') continue;
    let at = placement.at;
    for (const { kind, text } of placement.lines) {
      if (kind === 'added') insertAt(inserted, at, text);
      else if (kind === 'removed' && removed.has(at)) return takenTwice(placement);
      else if (kind === 'removed') removed.add(at);
      if (kind !== 'added') at += 1;
    }
  }
  const appended = placements.flatMap(({ at, lines }) => (at === 'end' ? lines.map(({ text }) => text) : []));
  if (appended.length > 0 && file.lines.at(-1) === '') removed.add(file.lines.length - 1); // they take the place of an empty last line
  return { removed, inserted, appended };
};

const insertAt = (inserted: Map<number, string[]>, at: number, text: string): void => {
  const before = inserted.get(at);
  if (before) before.push(text);
  else inserted.set(at, [text]);
};

const takenTwice = ({ lines, chunk }: Placement): MatchFailure => ({
  kind: 'missingLines',
  lines: oldLines(lines),
  line: chunk.line,
});

/** Whatever no chunk touches is copied from the old text unchanged. */
const join = (text: string, file: FileText, { removed, inserted, appended }: Edits): string => {
  const starts = lineStarts(file);
  const parts = [''];
  const add = (part: string): void => {
    if (part !== '' && parts.length > 1 && !parts.at(-1)?.endsWith('\n')) parts.push(styleAt(file, file.lines.length));
    if (part !== '') parts.push(part);
  };
  let from = 0;
  for (const at of [...new Set([...removed, ...inserted.keys()])].sort((a, b) => a - b)) {
    add(text.slice(starts[from], starts[at]));
    for (const line of inserted.get(at) ?? []) add(line + styleAt(file, at));
    from = removed.has(at) ? at + 1 : at;
  }
  add(text.slice(starts[from]));
  for (const line of appended) add(line + styleAt(file, file.lines.length));
  return file.end === 'newline' ? parts.join('') : parts.join('').replace(/\r?\n$/, '');
};

/** Where each line begins in the text, and where the last one ends. */
const lineStarts = ({ lines }: FileText): number[] => {
  const starts = [0];
  let start = 0;
  for (const line of lines) {
    start += line.length + 1;
    starts.push(start);
  }
  return starts;
};

/** The line end of a line that is put before line `at`: as in the terminated line before it, otherwise as in the first line. */
const styleAt = ({ lines, end }: FileText, at: number): '\n' | '\r\n' => {
  const terminated = end === 'newline' ? lines.length : lines.length - 1;
  const neighbour = lines[Math.max(0, Math.min(at, terminated) - 1)];
  return terminated > 0 && neighbour !== undefined ? lineEndOf(neighbour) : '\n';
};
