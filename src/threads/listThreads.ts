/** Lists stored threads. */
import { join } from 'node:path';
import { defer, map, type Observable, tap, toArray } from 'rxjs';
import { FileError } from '../io/files/fileError';
import type { JsonObject } from '../protocol/jsonrpc/json';
import { inTurns } from '../streams/inTurns';
import { lazy } from '../streams/lazy';
import { parseLines } from './lines/readRolloutLine';
import { archivedFiles, type RolloutFile, type RolloutPlace, sessionFiles } from './listing/rolloutFiles';
import { readSummary, type SummaryTexts, type ThreadSummary, toSummary } from './listing/threadSummary';
import type { ThreadQuery } from './threadStore';

/** What a list needs. */
type ListDeps = RolloutPlace & {
  /** Ms since 1970. */
  now: () => number;
};

/** Up to this many are read from their rollouts, which takes less time than the index: a page of 100, and the thread that shows that there are more. */
const FEW = 101;
/** The index is rewritten if at least this many rollouts were read, or this many of its threads are gone. */
const MANY = 32;
/** Files that are read at once; the process does other work in between. */
const SLICE = 500;

type Listed = {
  summary: ThreadSummary;
  /** The inode of the rollout. */
  ino: number;
  /** Whether the rollout was read for this list. */
  isRead: boolean;
};

/**
 * Emits the threads once, newest first. A long list of the newest uses the index in `codex-rx/index`, and writes it if many rollouts were read;
 * a rollout that has changed in any way is read again, so the index may be lost, old or damaged. Errors with FileError.
 *   files   abc         (b changed since)
 *   out     (A B' C)    (B' is read from the rollout, A and C from the index)
 */
export const listThreads = (deps: ListDeps, { after, limit, archived }: ThreadQuery): Observable<ThreadSummary[]> =>
  defer(() => {
    const files = archived ? archivedFiles(deps, after) : sessionFiles(deps, after);
    const path = join(deps.home, 'codex-rx', 'index', archived ? 'archived.jsonl' : 'sessions.jsonl');
    const index = lazy(() => readIndex(textOf(deps, path)));
    const usesIndex = (count: number) => after === undefined && count > FEW;
    return inTurns(take(files, limit), SLICE).pipe(
      map((slice, i) => listSlice(deps, usesIndex(i * SLICE + slice.length) ? index() : new Map(), slice)),
      toArray(),
      map((slices) => slices.flat()),
      tap((listed) => {
        const scope = listed.length < limit ? 'all' : 'some';
        if (usesIndex(listed.length)) writeIndex(deps, path, { old: index(), listed, scope });
      }),
      map(toSummaries),
    );
  });

const toSummaries = (listed: readonly Listed[]): ThreadSummary[] => listed.map(({ summary }) => summary);

/** No further thread is looked for once there are enough. */
function* take<T>(all: Iterable<T>, limit: number): Generator<T> {
  let count = 0;
  for (const one of all) {
    yield one;
    count += 1;
    if (count >= limit) return;
  }
}

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

type Rewrite = {
  old: SummaryIndex;
  listed: readonly Listed[];
  /** A list of all threads shows which threads of the old index are gone. */
  scope: 'all' | 'some';
};

/** If the index cannot be written, as in a home that is read-only, each list reads the rollouts. */
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

/** The facts of a rollout when it was read. If any of them differs now, the file has changed since. */
type FileFacts = { size: number; writtenMs: number; ino: number };

type IndexRow = FileFacts &
  SummaryTexts & {
    /** The path of the rollout below the home. */
    path: string;
  };

type SummaryIndex = ReadonlyMap<string, IndexRow>;

/** Another number is another format, which is read as an empty index. */
const VERSION = 1;

/** A file that was written this shortly before it was read may change once more within one tick of its clock. */
const SETTLED_MS = 2_000;

const toIndexPath = (home: string, { path }: Pick<RolloutFile, 'path'>): string => path.slice(home.length + 1);

/** Reads the text of an index. Lines that are damaged, and an index of another version, hold no rows. */
const readIndex = (text: string): SummaryIndex => {
  const [head, ...lines] = parseLines(text);
  const rows = new Map<string, IndexRow>(); // fills in place: ten thousand rows are usual
  if (head?.version !== VERSION) return rows;
  for (const row of lines) if (isRow(row)) rows.set(row.path, row);
  return rows;
};

const toIndexText = (index: SummaryIndex): string =>
  [{ version: VERSION }, ...index.values()].map((line) => `${JSON.stringify(line)}\n`).join('');

const unchanged = (index: SummaryIndex, path: string, facts: FileFacts): IndexRow | undefined => {
  const row = index.get(path);
  const isSame = row?.size === facts.size && row.writtenMs === facts.writtenMs && row.ino === facts.ino;
  return isSame ? row : undefined;
};

/** Whether the facts of a rollout will show every change after it is read now. */
const isSettled = ({ writtenMs }: Pick<FileFacts, 'writtenMs'>, nowMs: number): boolean =>
  nowMs - writtenMs > SETTLED_MS;

const NUMBERS = ['size', 'writtenMs', 'ino'] as const;
const TEXTS = ['path', 'cwd', 'provider', 'source', 'cliVersion', 'preview'] as const;

const isRow = (line: JsonObject): line is IndexRow =>
  NUMBERS.every((key) => typeof line[key] === 'number') && TEXTS.every((key) => typeof line[key] === 'string');
