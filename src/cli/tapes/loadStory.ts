/** Loads the sessions of a story: tapes and rollouts of files and folders, and threads. */
import { basename } from 'node:path';
import { concat, concatMap, defer, from, ignoreElements, map, type Observable, of, tap } from 'rxjs';
import { itemsOf, type LoadDeps, loadLines, skipUnusable } from '../../app/tapes/loadTape';
import { toItems } from '../../app/tapes/writeFiles';
import { factsAt, isFolder } from '../../io/paths/look';
import { readTime } from '../../streams/text/amounts';
import { counted } from '../../streams/text/reasons';
import { type CollectedStory, type StoryPart, storyCollector } from '../../tapes/diagram/storyParts';
import { maxBytes, type NamedTape, tapesBelow } from '../../tapes/files/tapesIn';
import { type Session, TapeError, type TapeItem } from '../../tapes/format/tape';
import { importSession } from '../../tapes/import/importSession';
import type { Options } from '../option';

/** A page with more lines is slow. */
const MAX_LINES = 100_000;

/** Which time, in ms since 1970; `untilMs` is not part of it. */
export type StoryTime = { fromMs: number; untilMs: number };

/** The words and the options that make a story. */
type StoryChoice = { file: string; more: readonly string[]; day?: string; since?: string };

/** Whether several sessions are drawn on one time line. */
export const isStory = ({ file, more, day, since }: StoryChoice): boolean =>
  more.length > 0 || day !== undefined || since !== undefined || (file !== '-' && isFolder(file));

const DAY_MS = 86_400_000;

const dayOf = (text: string): number | undefined => (text.length === 10 ? readTime(text, 0) : undefined);

/** The time of a story: a day, or from an age or a date on, or all of it. */
export const storyTime = ({ day = '', since = '' }: { day?: string; since?: string }, nowMs: number): StoryTime => {
  const fromMs = dayOf(day);
  if (fromMs !== undefined) return { fromMs, untilMs: fromMs + DAY_MS };
  return { fromMs: readTime(since, nowMs) ?? Number.NEGATIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY };
};

/** Which time is drawn. */
export const STORY_OPTIONS = {
  day: {
    type: 'string',
    flawOf: (text) => (dayOf(text) === undefined ? `${text} is no day; write it as 2026-11-30` : undefined),
    describe: 'Of several sessions, only this day (UTC)',
  },
  since: {
    type: 'string',
    flawOf: (text) =>
      readTime(text, 0) === undefined ? `${text} cannot be read; write it as in 8h or 2026-11-30` : undefined,
    describe: 'Of several sessions, only what came since then: an age, as 8h, or a date in ISO 8601',
  },
} as const satisfies Options;

type StoryDeps = LoadDeps & {
  /** The session of a thread that a text names; undefined if it names none. */
  threadOf: (ref: string) => Observable<Session> | undefined;
};

/**
 * Emits the sessions of all paths once, and completes: a path is a tape, a rollout, the id of a thread, or a folder of tapes and rollouts. Reads in a stream.
 * Files of a folder that cannot be used are remarked on, and what is too much. Errors with TapeError if nothing is left.
 */
export const loadStory = (deps: StoryDeps, paths: readonly string[], time: StoryTime): Observable<StoryPart[]> =>
  defer(() => {
    const collector = storyCollector({ ...time, maxLines: MAX_LINES, maxChars: maxBytes() / 4 });
    const collect = (name: string, item$: Observable<TapeItem>) =>
      item$.pipe(tap(collector.open(name)), ignoreElements());
    return concat(
      from(paths).pipe(
        concatMap((path) => {
          const thread$ = deps.threadOf(path);
          if (thread$) return collect(path, thread$.pipe(concatMap(toItems)));
          if (!isFolder(path)) return collect(basename(path), itemsIn(deps, path));
          return from(filesOf(path, time)).pipe(
            concatMap((file) => collect(file.name, itemsIn(deps, file.path)).pipe(skipUnusable(deps))),
          );
        }),
      ),
      defer(() => of(collector.end())),
    ).pipe(map((story) => checked(deps, paths, story)));
  });

/** A file that was written last before the time holds nothing of it. */
const filesOf = (folder: string, { fromMs }: StoryTime): NamedTape[] =>
  tapesBelow(folder).filter(({ path }) => (factsAt(path)?.mtimeMs ?? 0) >= fromMs);

/** As Codex names the files of its threads. */
const ROLLOUT = /^rollout-.*\.jsonl$/;

const itemsIn = (deps: LoadDeps, path: string): Observable<TapeItem> =>
  ROLLOUT.test(basename(path))
    ? loadLines(deps, path).pipe(concatMap((lines) => importSession(lines, 'rollout', 'codex-rx diagram')?.items ?? []))
    : itemsOf(deps, path);

const checked = ({ remark }: LoadDeps, paths: readonly string[], { parts, left, undated }: CollectedStory) => {
  if (left > 0) remark(`${counted(left, 'line')} more would be too many; --day or --since draws less`);
  if (undated > 0) remark(`${counted(undated, 'session')} without a date cannot be drawn on a time line`);
  if (parts.length > 0) return parts;
  throw new TapeError(`${paths.join(', ')}: no session lies within the time; --day and --since name another`);
};
