/** What one section of a patch does to the files, and to the text of a file. */
import { decodeText, encodeText } from './encoding';
import type { Section, UpdateSection } from './grammar/patch';
import { type MatchFailure, oldLines, type Placement, placeChunks } from './matching/placeChunks';
import type { FileFailure, ReadFailure } from './plan';
import type { FileState } from './seen';
import { type Place, placeAt, type World, withFile, withMove } from './world';

/** What one section of a patch does. */
export type SectionResult = {
  world: World;
  /** The letter and the path in the summary. */
  report: Report;
  obstacle?: string;
};
/** A line of the summary: what happened to a path. */
export type Report = { letter: 'A' | 'M' | 'D'; path: string };

const NOT_THERE = 'No such file or directory (os error 2)';
const NOT_TEXT = 'stream did not contain valid UTF-8';

/** Applies one section in memory: the world after it, or why it cannot be applied. Source: Codex 0.28.0, CORE 6.6. */
export const planSection = (world: World, section: Section): SectionResult | FileFailure => {
  const place = placeAt(world, section.path);
  switch (section.kind) {
    case 'add':
      return addFile(world, section.path, encodeText(section.content));
    case 'delete':
      return place.kind === 'file'
        ? {
            world: withFile(world, { path: section.path, real: place.entry }, undefined),
            report: { letter: 'D', path: section.path },
          }
        : unreadable(section.path, place, 'delete');
    case 'update':
      return place.kind === 'file' ? updateFile(world, section, place) : unreadable(section.path, place, 'update');
  }
};

/** A file that already exists keeps its permissions. */
const addFile = (world: World, path: string, bytes: Uint8Array): SectionResult => {
  const place = placeAt(world, path);
  const mode = place.kind === 'file' ? place.file.mode : 'default';
  const written = writeFile(world, path, { bytes, mode, access: 'writable' });
  return { ...written, report: { letter: place.kind === 'file' ? 'M' : 'A', path } };
};

type Written = Omit<SectionResult, 'report'>;

/** What cannot be written is planned all the same, so that the request for approval can be shown. */
const writeFile = (world: World, path: string, file: FileState): Written => {
  const place = placeAt(world, path);
  const obstacle = obstacleAt(path, place);
  const real = place.kind === 'blocked' ? place.absolute : place.real;
  return { world: withFile(world, { path, real }, file), ...(obstacle !== undefined && { obstacle }) };
};

const obstacleAt = (path: string, place: Place): string | undefined => {
  if (place.kind === 'blocked' && place.part === 'parent') return `Failed to create parent directories for ${path}`;
  const isWritable = place.kind === 'absent' || (place.kind === 'file' && place.file.access === 'writable');
  return isWritable ? undefined : `Failed to write file ${path}`;
};

type FilePlace = Extract<Place, { kind: 'file' }>;

const updateFile = (world: World, section: UpdateSection, place: FilePlace): SectionResult | FileFailure => {
  const { path, moveTo } = section;
  const changed = changedText(place.file, section);
  if (typeof changed !== 'string') return { ...changed, path, absolute: place.absolute };
  const file = { ...place.file, bytes: encodeText(changed) };
  const report: Report = { letter: 'M', path: moveTo ?? path };
  const target = placeAt(world, moveTo ?? path);
  const isInPlace = 'real' in target && target.real === place.real;
  if (moveTo === undefined || isInPlace) return { ...writeFile(world, path, file), report };
  const emptied = withFile(world, { path, real: place.entry }, undefined);
  const written = writeFile(emptied, moveTo, { ...file, access: 'writable' });
  const real = target.kind === 'blocked' ? target.absolute : target.real;
  return { ...written, world: withMove(written.world, place.entry, real), report };
};

const changedText = ({ bytes }: FileState, { chunks }: UpdateSection): string | MatchFailure | ReadFailure => {
  const text = decodeText(bytes);
  if (text === undefined) return { kind: 'unreadable', purpose: 'update', reason: NOT_TEXT };
  const edited = editedText(text, chunks);
  if (typeof edited === 'string' || !text.startsWith(MARK)) return edited;
  const unmarked = editedText(text.slice(1), chunks);
  return typeof unmarked === 'string' ? MARK + unmarked : unmarked;
};

/** A byte order mark stays before the first line, also if that line is replaced by a patch that does not show it. */
const MARK = '\uFEFF';

const editedText = (text: string, chunks: UpdateSection['chunks']): string | MatchFailure => {
  const file = toFileText(text);
  const placements = placeChunks(file.lines, chunks);
  return 'kind' in placements ? placements : editText(text, placements, file);
};

const unreadable = (path: string, place: Place, purpose: 'update' | 'delete'): FileFailure => ({
  kind: 'unreadable',
  purpose,
  path,
  absolute: place.absolute,
  reason: place.kind === 'blocked' ? place.reason : NOT_THERE,
});

type Edits = {
  removed: ReadonlySet<number>;
  /** `inserted.get(n)` is put before line n. */
  inserted: ReadonlyMap<number, readonly string[]>;
  /** Put after everything else. */
  appended: readonly string[];
};

/**
 * The new text. Lines that no chunk removes stay byte for byte, even if a chunk matched them loosely. New lines end like the line
 * before them. The end of the file stays as it is: with or without a line feed.
 * Fails if two chunks remove the same line.
 * Source: Codex 0.28.0, CORE 6.6; there touched lines lost their blanks and carriage returns, and lines put at the end of
 * a file were misplaced by later chunks.
 */
export const editText = (
  text: string,
  placements: readonly Placement[],
  file = toFileText(text),
): string | MatchFailure => {
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

/** Text that no chunk touches is copied unchanged. */
const join = (text: string, file: FileText, { removed, inserted, appended }: Edits): string => {
  const startOf = lineStarts(file);
  const parts = [''];
  const add = (part: string): void => {
    if (part !== '' && parts.length > 1 && !parts.at(-1)?.endsWith('\n')) parts.push(styleAt(file, file.lines.length));
    if (part !== '') parts.push(part);
  };
  let start = 0;
  for (const at of [...new Set([...removed, ...inserted.keys()])].sort((a, b) => a - b)) {
    add(text.slice(start, startOf(at)));
    for (const line of inserted.get(at) ?? []) add(line + styleAt(file, at));
    start = startOf(removed.has(at) ? at + 1 : at);
  }
  add(text.slice(start));
  for (const line of appended) add(line + styleAt(file, file.lines.length));
  return file.end === 'newline' ? parts.join('') : parts.join('').replace(/\r?\n$/, '');
};

/** Where a line begins in the text, or where the last one ends; each call asks for the same line or a later one. */
const lineStarts = ({ lines }: FileText): ((line: number) => number) => {
  let [at, start] = [0, 0];
  return (line) => {
    for (; at < line; at += 1) start += (lines[at] as string).length + 1;
    return start;
  };
};

/** The line end of a line that is put before line `at`: as in the terminated line before it, otherwise as in the first line. */
const styleAt = ({ lines, end }: FileText, at: number): '\n' | '\r\n' => {
  const terminated = end === 'newline' ? lines.length : lines.length - 1;
  const neighbour = lines[Math.max(0, Math.min(at, terminated) - 1)];
  return terminated > 0 && neighbour !== undefined ? lineEndOf(neighbour) : '\n';
};

type FileText = {
  /** Without their line feeds, but with a carriage return before one. */
  lines: readonly string[];
  /** Whether the last line has a line feed too. */
  end: 'newline' | 'none';
};

/** An empty file has no lines; a line added to it ends with a line feed. */
const toFileText = (text: string): FileText => {
  const lines = text.split('\n');
  if (lines.at(-1) !== '') return { lines, end: 'none' };
  lines.pop(); // a copy would double the memory of a long file
  return { lines, end: 'newline' };
};

const lineEndOf = (line: string): '\n' | '\r\n' => (line.endsWith('\r') ? '\r\n' : '\n');
