/** What one section of a patch does to the files, and to the text of a file. */
import { isUtf8 } from 'node:buffer';
import type { Pausing } from '../../streams/pausing';
import { editText, toFileText } from './editText';
import { encodeText } from './encoding';
import type { Section, UpdateSection } from './grammar/patch';
import { type MatchFailure, placeChunks } from './matching/placeChunks';
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

/** Applies one section in memory: the world after it, or why it cannot be applied. Pauses in a large file. Source: Codex 0.28.0, CORE 6.6. */
export function* planSection(world: World, section: Section): Pausing<SectionResult | FileFailure> {
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
      return place.kind === 'file'
        ? yield* updateFile(world, section, place)
        : unreadable(section.path, place, 'update');
  }
}

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

function* updateFile(world: World, section: UpdateSection, place: FilePlace): Pausing<SectionResult | FileFailure> {
  const { path, moveTo } = section;
  const changed = yield* changedBytes(place.file, section);
  if ('kind' in changed) return { ...changed, path, absolute: place.absolute };
  const file = { ...place.file, bytes: changed };
  const report: Report = { letter: 'M', path: moveTo ?? path };
  const target = placeAt(world, moveTo ?? path);
  const isInPlace = 'real' in target && target.real === place.real;
  if (moveTo === undefined || isInPlace) return { ...writeFile(world, path, file), report };
  const emptied = withFile(world, { path, real: place.entry }, undefined);
  const written = writeFile(emptied, moveTo, { ...file, access: 'writable' });
  const real = target.kind === 'blocked' ? target.absolute : target.real;
  return { ...written, world: withMove(written.world, place.entry, real), report };
}

function* changedBytes(
  { bytes }: FileState,
  { chunks }: UpdateSection,
): Pausing<Uint8Array | MatchFailure | ReadFailure> {
  if (!isUtf8(bytes)) return { kind: 'unreadable', purpose: 'update', reason: NOT_TEXT };
  const edited = yield* editedBytes(bytes, chunks);
  if (!('kind' in edited) || !isMarked(bytes)) return edited;
  const unmarked = yield* editedBytes(bytes.subarray(MARK.length), chunks);
  return 'kind' in unmarked ? unmarked : Buffer.concat([MARK, unmarked]);
}

/** A byte order mark stays before the first line, also if that line is replaced by a patch that does not show it. */
const MARK = encodeText('\uFEFF');

const isMarked = (bytes: Uint8Array): boolean => MARK.every((byte, at) => bytes[at] === byte);

function* editedBytes(bytes: Uint8Array, chunks: UpdateSection['chunks']): Pausing<Uint8Array | MatchFailure> {
  const file = yield* toFileText(bytes);
  const placements = yield* placeChunks(file.lines, chunks);
  return 'kind' in placements ? placements : yield* editText(file, placements);
}

const unreadable = (path: string, place: Place, purpose: 'update' | 'delete'): FileFailure => ({
  kind: 'unreadable',
  purpose,
  path,
  absolute: place.absolute,
  reason: place.kind === 'blocked' ? place.reason : NOT_THERE,
});
