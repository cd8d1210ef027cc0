/** Lists stored threads. */
import { join } from 'node:path';
import { asyncScheduler, concatMap, defer, from, map, type Observable, observeOn, of, tap, toArray } from 'rxjs';
import { FileError } from '../io/files/fileError';
import { archivedFiles, type RolloutFile, type RolloutPlace, sessionFiles } from './listing/rolloutFiles';
import {
  type IndexRow,
  isSettled,
  readIndex,
  type SummaryIndex,
  toIndexPath,
  toIndexText,
  unchanged,
} from './listing/summaryIndex';
import { readSummary, type ThreadSummary, toSummary } from './listing/threadSummary';
import type { ThreadQuery } from './threadStore';

/** @param now ms since 1970 */
export type ListDeps = RolloutPlace & { now: () => number };

/** Up to this many are read from their rollouts: that takes less time than the index. */
const FEW = 100;
/** The index is written anew where at least this many rollouts were read, or this many of its threads are gone. */
const MANY = 32;
/** Files that are read at once; the process does other work in between. */
const SLICE = 500;

/** A thread that is listed; `ino` is the number of its rollout, and `isRead` whether that was read for the list. */
type Listed = { summary: ThreadSummary; ino: number; isRead: boolean };

/**
 * Emits the threads once, newest first. A long list uses the index in `codex-rx/index`, and writes it where many rollouts were read;
 * a rollout that has changed in any way is read again, so the index may be lost, old or damaged. Errors with FileError.
 *   files   abc         (b changed since)
 *   out     (A B' C)    (B' is read from the rollout, A and C from the index)
 */
export const listThreads = (deps: ListDeps, { skip = 0, limit, archived }: ThreadQuery): Observable<ThreadSummary[]> =>
  defer(() => {
    const files = take(archived ? archivedFiles(deps) : sessionFiles(deps), skip + limit).slice(skip);
    const scope = skip === 0 && files.length < limit ? 'all' : 'some';
    if (files.length <= FEW) return of(toSummaries(listSlice(deps, new Map(), files)));
    const path = join(deps.home, 'codex-rx', 'index', archived ? 'archived.jsonl' : 'sessions.jsonl');
    const index = readIndex(textOf(deps, path));
    return from(slicesOf(files)).pipe(
      concatMap((slice, i) => (i === 0 ? of(slice) : of(slice).pipe(observeOn(asyncScheduler)))),
      map((slice) => listSlice(deps, index, slice)),
      toArray(),
      map((slices) => slices.flat()),
      tap((listed) => writeIndex(deps, path, { old: index, listed, scope })),
      map(toSummaries),
    );
  });

const toSummaries = (listed: readonly Listed[]): ThreadSummary[] => listed.map(({ summary }) => summary);

const take = <T>(all: Iterable<T>, limit: number): T[] => {
  const taken: T[] = [];
  for (const one of all) {
    if (taken.length >= limit) break;
    taken.push(one);
  }
  return taken;
};

const slicesOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / SLICE) }, (_, at) => all.slice(at * SLICE, (at + 1) * SLICE));

/** A rollout that was removed in the meantime is left out. */
const listSlice = (deps: ListDeps, index: SummaryIndex, files: readonly RolloutFile[]): Listed[] =>
  files.flatMap((file) => {
    const facts = deps.files.facts(file.path);
    if (facts === undefined) return [];
    const known = unchanged(index, toIndexPath(deps.home, file), facts);
    const summary = toSummary(file, facts, known ?? readSummary(deps, file));
    return { summary, ino: facts.ino, isRead: known === undefined };
  });

/** An index that cannot be read is as good as none. */
const textOf = ({ files }: ListDeps, path: string): string => {
  try {
    return files.read(path) ?? '';
  } catch (error) {
    if (error instanceof FileError) return '';
    throw error;
  }
};

/** @param scope a list of all knows which threads of the old index are gone */
type Rewrite = { old: SummaryIndex; listed: readonly Listed[]; scope: 'all' | 'some' };

/** Where it cannot be written, as in a home that is read-only, each list reads the rollouts. */
const writeIndex = (deps: ListDeps, path: string, { old, listed, scope }: Rewrite): void => {
  const gone = scope === 'all' ? old.size - listed.length : 0;
  if (gone < MANY && listed.filter(({ isRead }) => isRead).length < MANY) return;
  const kept = scope === 'all' ? [] : old.values();
  const rows = [...kept, ...listed.filter(({ summary }) => isSettled(summary, deps.now())).map(toRow(deps))];
  const fresh = new Map(rows.map((row) => [row.path, row]));
  try {
    deps.files.replace(path, toIndexText(fresh));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
  }
};

const toRow =
  ({ home }: ListDeps) =>
  ({ summary, ino }: Listed): IndexRow => {
    const { size, writtenMs, cwd, provider, source, cliVersion, preview } = summary;
    return { path: toIndexPath(home, summary), size, writtenMs, ino, cwd, provider, source, cliVersion, preview };
  };
