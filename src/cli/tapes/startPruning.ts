/** Work on a folder of tapes: `codex-rx tapes prune` removes tapes beyond limits, `codex-rx tapes search` finds texts in them. */
import { dirname } from 'node:path';
import { catchError, concatMap, defer, from, map, type Observable, of, take, toArray } from 'rxjs';
import { foldAll } from '../../app/tapes/foldTape';
import { type LoadDeps, skipUnusable, tapeBytes } from '../../app/tapes/loadTape';
import { lockNamed, removeNamed } from '../../io/disk/namedHere';
import { linkFactsAt, realPathOf } from '../../io/paths/look';
import { decodeUtf8 } from '../../streams/bytes/decodeUtf8';
import { splitLines } from '../../streams/bytes/splitLines';
import { counted, fileReasonOf } from '../../streams/text/reasons';
import { isWithin } from '../../streams/text/trim';
import { toVisible, toVisibleLines } from '../../streams/text/visible';
import { type NamedTape, tapesBelow, tapesIn, upTo } from '../../tapes/files/tapesIn';
import { readTape } from '../../tapes/format/readTape';
import { TapeError } from '../../tapes/format/tape';
import { type FoundLine, sessionSearcher, type Wanted } from '../../tapes/search/searchSession';
import type { Asked } from '../consent';
import { ageOf } from '../table';

type PruneDeps = LoadDeps & {
  nowMs: number;
  /** Emits if the tapes may be removed. */
  consent: (asked: Asked) => Observable<unknown>;
};

type Pruning = { folder: string; limits: PruneLimits; run: 'dry' | 'now' };

/** Emits what was removed, or would be, as text for a person. Errors with TapeError if the person declines, or the folder cannot be read. */
export const startPruning = (deps: PruneDeps, { folder, limits, run }: Pruning): Observable<string> =>
  storedTapes(deps, folder).pipe(
    concatMap((tapes) => {
      const doomed = toPrune(tapes, limits, deps.nowMs);
      const size = doomed.reduce((sum, { bytes }) => sum + bytes, 0);
      const sum = `${counted(doomed.length, 'tape')} of ${tapes.length}, ${size} bytes`;
      const list = doomed.map((tape) => toLine(tape, deps.nowMs));
      if (doomed.length === 0) return of(`nothing to remove: ${counted(tapes.length, 'tape')} within the limits\n`);
      if (run === 'dry') return of([...list, `would remove ${sum}`].map((line) => `${toVisible(line)}\n`).join(''));
      const asked = {
        title: `This removes ${sum}`,
        list,
        remedy: '--yes removes them',
        refusal: 'Nothing was removed',
      };
      return deps.consent(asked).pipe(map(() => remove(deps, folder, doomed)));
    }),
  );

const toLine = ({ name, bytes, writtenMs }: StoredTape, nowMs: number): string =>
  `${ageOf(nowMs - writtenMs).padStart(7)} ${String(bytes).padStart(12)}  ${name}`;

const KEPT = {
  written: 'is being written, so it stays',
  changed: 'has changed since it was found, so it stays',
} as const;

const remove = ({ remark, nowMs }: PruneDeps, folder: string, doomed: readonly StoredTape[]): string => {
  const removed = doomed.filter((tape) => {
    const outcome = pruned(folder, tape, nowMs);
    if (outcome !== 'removed') remark(`${tape.name} ${KEPT[outcome]}`);
    return outcome === 'removed';
  });
  const size = removed.reduce((sum, { bytes }) => sum + bytes, 0);
  return `removed ${counted(removed.length, 'tape')}, ${size} bytes\n`;
};

const pruned = (folder: string, tape: StoredTape, nowMs: number): Outcome => {
  try {
    return pruneTape(folder, tape, nowMs);
  } catch (error) {
    throw new TapeError(`${tape.name} cannot be removed: ${fileReasonOf(error)}`);
  }
};

/** So much of a file is read to find out whether it is a tape. */
const MAX_FIRST_BYTES = 4_000_000;

/** Emits the tapes below a folder once, and completes. Leaves out files that are no tapes; links are not followed. */
const storedTapes = (deps: LoadDeps, folder: string): Observable<StoredTape[]> =>
  defer(() => from(tapesHere(folder))).pipe(
    concatMap((tape) => isTape(deps, tape).pipe(map((is) => (is ? toStored(tape) : [])))),
    concatMap((found) => found),
    toArray(),
  );

const tapesHere = (folder: string): NamedTape[] => {
  try {
    return tapesBelow(folder);
  } catch (error) {
    throw new TapeError(`${folder} cannot be read: ${fileReasonOf(error)}`);
  }
};

const toStored = ({ path, name }: NamedTape): StoredTape[] => {
  const facts = linkFactsAt(path);
  return facts?.isFile() ? [{ path, name, bytes: facts.size, writtenMs: facts.mtimeMs, inode: facts.ino }] : [];
};

const isTape = (deps: LoadDeps, { path }: NamedTape): Observable<boolean> =>
  tapeBytes(deps, path).pipe(
    upTo(MAX_FIRST_BYTES, path),
    decodeUtf8(),
    splitLines(),
    readTape(),
    take(1),
    toArray(),
    map(([first]) => first?.kind === 'meta' || first?.kind === 'entry'),
    catchError((error) => {
      if (error instanceof TapeError) return of(false);
      throw error;
    }),
  );

/** A tape that was written so recently may be written still, by a recorder that takes no lock. */
const QUIET_MS = 60_000;

/** What became of a tape. */
type Outcome = 'removed' | keyof typeof KEPT;

/** Removes a tape, unless it is being written, or is not what was found: another file, a link, another folder. Throws the system's error. */
const pruneTape = (folder: string, tape: StoredTape, nowMs: number): Outcome => {
  if (nowMs - tape.writtenMs < QUIET_MS) return 'written';
  const release = lockNamed(tape.path);
  if (release === 'taken') return 'written';
  try {
    if (!isSame(folder, tape)) return 'changed';
    removeNamed(tape.path);
    return 'removed';
  } finally {
    release?.();
  }
};

const isSame = (folder: string, { path, inode, bytes, writtenMs }: StoredTape): boolean => {
  const facts = linkFactsAt(path);
  const [whole, parent] = [realPathOf(folder), realPathOf(dirname(path))];
  if (facts === undefined || whole === undefined || parent === undefined || !isWithin(whole, parent)) return false;
  return facts.isFile() && facts.ino === inode && facts.size === bytes && facts.mtimeMs === writtenMs;
};

/** A tape on the disk. */
export type StoredTape = {
  path: string;
  /** In a report. */
  name: string;
  bytes: number;
  /** In ms since 1970. */
  writtenMs: number;
  /** Tells the file from another one of this name. */
  inode: number;
};

/** Which tapes stay. A limit that is undefined does not count. */
export type PruneLimits = {
  maxAgeMs?: number;
  maxCount?: number;
  maxBytes?: number;
  /** So many of the newest stay, whatever the limits are. */
  keep: number;
};

/** The tapes beyond the limits, the oldest first. Of two with the same time, the first by name is the older one. */
export const toPrune = (tapes: readonly StoredTape[], limits: PruneLimits, nowMs: number): StoredTape[] => {
  const { maxAgeMs = Infinity, maxCount = Infinity, maxBytes = Infinity, keep } = limits;
  const newestFirst = tapes.toSorted((a, b) => b.writtenMs - a.writtenMs || (a.path < b.path ? 1 : -1));
  let bytes = 0;
  const removed = newestFirst.filter((tape, at) => {
    bytes += tape.bytes;
    return at >= keep && (nowMs - tape.writtenMs > maxAgeMs || at >= maxCount || bytes > maxBytes);
  });
  return removed.reverse();
};

type FoundInTape = FoundLine & { tape: string };

/**
 * Searches a tape, or each tape below a folder, in a stream. Emits a line for each line of a tape that is found, as text or as JSON, and completes; remarks
 * if there are more than `most`. A tape of a folder that cannot be used is remarked on. Errors with TapeError if there is no tape.
 */
export const startSearching = (
  deps: LoadDeps,
  path: string,
  { json, most, ...wanted }: Wanted & { json: boolean },
): Observable<string> =>
  searchTapes(deps, path, { ...wanted, most: most + 1 }).pipe(
    take(most + 1),
    concatMap((found, at) => {
      if (at < most) return [json ? toVisibleLines(`${JSON.stringify(found)}\n`) : `${toFoundLine(found)}\n`];
      deps.remark(`there are more than ${most} lines; --limit finds more`);
      return [];
    }),
  );

const toFoundLine = ({ tape, lineNumber, at = '', who, what, place, text }: FoundInTape): string =>
  toVisible(
    [`${tape}:${lineNumber}`, at.slice(0, 19), who, what, place === '' ? text : `${place}: ${text}`]
      .filter((part) => part !== '')
      .join('  '),
  );

const searchTapes = (deps: LoadDeps, path: string, wanted: Wanted): Observable<FoundInTape> =>
  defer(() => {
    const tapes = tapesIn(path);
    if (tapes.kind === 'file') return searchTape(deps, tapes, wanted);
    return from(tapes.files).pipe(concatMap((tape) => searchTape(deps, tape, wanted).pipe(skipUnusable(deps))));
  });

const searchTape = (deps: LoadDeps, { path, name }: NamedTape, wanted: Wanted): Observable<FoundInTape> =>
  foldAll(deps, { path, number: undefined }, () => sessionSearcher(wanted)).pipe(
    concatMap((sessions) => from(sessions.flatMap(({ result }) => result))),
    map((found) => ({ ...found, tape: name })),
  );
