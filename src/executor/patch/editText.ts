/** The text of a file after the chunks of a patch that were placed in it. A large file is read and written in steps. */
import { cutBytes, toBuffer } from '../../streams/bytes/toBuffer';
import type { Pausing } from '../../streams/pausing';
import { encodeText } from './encoding';
import { type MatchFailure, oldLines, type Placement } from './matching/placeChunks';

type Edits = {
  removed: ReadonlySet<number>;
  /** `inserted.get(n)` is put before line n. */
  inserted: ReadonlyMap<number, readonly string[]>;
  /** Put after everything else. */
  appended: readonly string[];
};

/**
 * The new text, in UTF-8. Lines that no chunk removes stay byte for byte, even if a chunk matched them loosely. New lines end like the line
 * before them. The end of the file stays as it is: with or without a line feed.
 * Fails if two chunks remove the same line.
 * Source: Codex 0.28.0, CORE 6.6; there touched lines lost their blanks and carriage returns, and lines put at the end of
 * a file were misplaced by later chunks.
 */
export function* editText(file: FileText, placements: readonly Placement[]): Pausing<Uint8Array | MatchFailure> {
  const edits = toEdits(file, placements);
  return 'kind' in edits ? edits : yield* joined(partsOf(file, edits));
}

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

/** A part of the new text: old bytes, or new text. */
type Part = Uint8Array | string;

/** Bytes that no chunk touches are copied unchanged. */
const partsOf = (file: FileText, { removed, inserted, appended }: Edits): Part[] => {
  const parts: Part[] = [];
  const add = (part: Part): void => {
    if (part.length === 0) return;
    const last = parts.at(-1);
    if (last !== undefined && !endsLine(last)) parts.push(styleAt(file, file.lines.length));
    parts.push(part);
  };
  let start = 0;
  for (const at of [...new Set([...removed, ...inserted.keys()])].sort((a, b) => a - b)) {
    add(file.bytes.subarray(start, file.starts[at]));
    for (const line of inserted.get(at) ?? []) add(line + styleAt(file, at));
    start = file.starts[removed.has(at) ? at + 1 : at] ?? file.bytes.length;
  }
  add(file.bytes.subarray(start));
  for (const line of appended) add(line + styleAt(file, file.lines.length));
  return file.end === 'newline' ? parts : withoutLastEnd(parts);
};

const endsLine = (part: Part): boolean => (typeof part === 'string' ? part.endsWith('\n') : part.at(-1) === LF);

const withoutLastEnd = (parts: readonly Part[]): Part[] => {
  const last = parts.at(-1) ?? '';
  const size = !endsLine(last) ? 0 : isReturn(last.at(-2)) ? 2 : 1;
  return [...parts.slice(0, -1), last.slice(0, last.length - size)];
};

const isReturn = (unit: string | number | undefined): boolean => unit === '\r' || unit === CR;

const LF = 10;
const CR = 13;

/** How much is copied at once. Most of the time goes into new memory, page by page. */
const COPY_BYTES = 1_048_576;

/** The parts as one. Pauses after each MB. */
function* joined(parts: readonly Part[]): Pausing<Uint8Array> {
  const pieces = joinTexts(parts).flatMap((bytes) => cutBytes(bytes, COPY_BYTES));
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
    yield;
  }
  return whole;
}

/** Lines that were added one after another are encoded together. */
const joinTexts = (parts: readonly Part[]): Uint8Array[] => {
  const joinedParts: Uint8Array[] = [];
  let text = '';
  for (const part of [...parts, NOTHING]) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    joinedParts.push(encodeText(text), part);
    text = '';
  }
  return joinedParts.filter(({ length }) => length > 0);
};

const NOTHING = new Uint8Array();

/** The line end of a line that is put before line `at`: as in the terminated line before it, otherwise as in the first line. */
const styleAt = ({ lines, end }: FileText, at: number): '\n' | '\r\n' => {
  const terminated = end === 'newline' ? lines.length : lines.length - 1;
  const neighbour = lines[Math.max(0, Math.min(at, terminated) - 1)];
  return terminated > 0 && neighbour !== undefined ? lineEndOf(neighbour) : '\n';
};

/** A file that is to be changed. */
type FileText = {
  bytes: Uint8Array;
  /** Without their line feeds, but with a carriage return before one. */
  lines: readonly string[];
  /** At which byte each line begins. */
  starts: readonly number[];
  /** Whether the last line has a line feed too. */
  end: 'newline' | 'none';
};

/** How much is decoded at once, and the rest of its last line. */
const DECODED_BYTES = 262_144;

/** Cuts UTF-8 into lines, and pauses often. An empty file has no lines; a line added to it ends with a line feed. */
export function* toFileText(bytes: Uint8Array): Pausing<FileText> {
  const file = toBuffer(bytes);
  const lines: string[] = [];
  const starts: number[] = [];
  const isEnded = file.length === 0 || file.at(-1) === LF;
  for (let from = 0; from < file.length; ) {
    const end = file.indexOf(LF, from + DECODED_BYTES) + 1 || file.length;
    const text = file.toString('utf8', from, end);
    const isPlain = text.length === end - from;
    for (const line of (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')) {
      lines.push(line);
      starts.push(from);
      from += (isPlain ? line.length : Buffer.byteLength(line)) + 1;
    }
    from = end;
    yield;
  }
  return { bytes, lines, starts, end: isEnded ? 'newline' : 'none' };
}

const lineEndOf = (line: string): '\n' | '\r\n' => (line.endsWith('\r') ? '\r\n' : '\n');
