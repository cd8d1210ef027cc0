/** Searches for the few lines of a session at which a server differs or crashes. */
import { concatMap, EMPTY, last, map, type Observable, of, range, scan, takeUntil, tap, toArray } from 'rxjs';
import { checkWhole, type LoadDeps, loadSession } from '../../app/tapes/loadTape';
import { checkNew, toTapeText, writeNew } from '../../app/tapes/writeFiles';
import type { LaneResult } from '../../tapes/diff/compare';
import { withoutPlaces } from '../../tapes/diff/describeLane';
import { loadMasks } from '../../tapes/files/loadMasks';
import type { Session } from '../../tapes/format/tape';
import type { MaskWords } from '../../tapes/matching/maskWords';
import type { Pace } from '../../tapes/replayClient/clientPlan';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import {
  type ServerDeps,
  type SessionOptions,
  type VerifiedSession,
  verifySession,
} from '../../tapes/sessions/verifySession';
import {
  type Followed,
  failuresOf,
  optionalLines,
  pickLines,
  remarkUnstable,
  toFollowed,
  unsolicitedLabels,
} from '../../tapes/shrink/pickLines';
import { reduceList, type Trial, type TryItems } from '../../tapes/shrink/reduceList';
import type { TapeChoice } from '../replay/serveTape';

type ShrinkOptions = {
  command: readonly string[];
  words: MaskWords;
  limitMs: number;
  pace: Pace;
  /** How often the whole session is played first. */
  wholeRuns: number;
  /** How often the server is started at most. */
  maxRuns: number;
  /** A new file for the tape. */
  out?: string;
  /** A new file for a spec that is written from the tape. */
  spec?: string;
};

/** Result of a search for a shorter session. */
export type Shrunk =
  /** The server answers as recorded, or differs in other ways each time. */
  | { kind: 'same' | 'unstable' }
  /** How many lines of the client were and are left, and how the server differs from them. */
  | { kind: 'shrunk'; before: number; after: number; runs: number; results: readonly LaneResult[] };

type ShrinkDeps = LoadDeps &
  ServerDeps & {
    /** Emits once, also to a late subscriber, if the search is to end; the shortest session so far is the result. */
    stop$: Observable<unknown>;
  };

/**
 * Plays the session whole, several times, then ever smaller parts of it. What differs between the whole runs is left out. Emits once and completes; emits
 * nothing if it is stopped before the whole runs are over. Errors with TapeError if nothing can be played.
 */
export const startShrinking = (deps: ShrinkDeps, choice: TapeChoice, options: ShrinkOptions): Observable<Shrunk> =>
  loadSession(deps, choice.path, choice.session).pipe(
    map((loaded) => checkWhole(loaded, choice.allow)),
    tap(() => checkNew([options.out, options.spec])),
    concatMap((session) => {
      const masks = loadMasks(deps.remark, choice.path, options.words);
      const run = (one: Session) => verifySession(deps, one, { ...options, masks } satisfies SessionOptions);
      return range(0, options.wholeRuns).pipe(
        concatMap(() => run(session)),
        takeUntil(deps.stop$),
        toArray(),
        concatMap((whole) => {
          if (whole.length < options.wholeRuns) return EMPTY;
          const followed = toFollowed(whole);
          remarkUnstable(deps.remark, followed.unstable, whole.length);
          if (followed.kind !== 'failure') return of<Shrunk>(followed);
          deps.remark(`the failure: ${followed.failure}`);
          return shorten({ deps, options, run, followed }, session, whole[0] as VerifiedSession);
        }),
      );
    }),
  );

type Shrinking = {
  deps: ShrinkDeps;
  options: ShrinkOptions;
  run: (session: Session) => Observable<VerifiedSession>;
  followed: Extract<Followed, { kind: 'failure' }>;
};

/** The session with some of its lines, and with what the server sent unasked in the run before. */
type PickLines = (lines: readonly number[], now: Session) => Session;

const shorten = (shrinking: Shrinking, session: Session, whole: VerifiedSession): Observable<Shrunk> => {
  const { deps, options, run, followed } = shrinking;
  const { failure, unstable } = followed;
  const index = toSessionIndex(session);
  const lines = optionalLines(index);
  const pick: PickLines = (lines, now) =>
    pickLines(session, index, { lines, unasked: unsolicitedLabels(toSessionIndex(now)) });
  const tryLines: TryItems<number, VerifiedSession> = (items, { now }) =>
    run(pick(items, now)).pipe(map((one) => (failuresOf(one, unstable).includes(failure) ? one : undefined)));
  return reduceList(lines, { runs: options.wholeRuns, result: whole, maxRuns: options.maxRuns }, tryLines).pipe(
    remarkShorter(deps.remark),
    takeUntil(deps.stop$),
    last(),
    map(({ reduction: { items }, runs, result: { results, now } }): Shrunk => {
      if (options.out !== undefined) writeNew(options.out, toTapeText(pick(items, now)));
      const left = withoutPlaces(results, unstable);
      return { kind: 'shrunk', before: lines.length, after: items.length, runs, results: left };
    }),
  );
};

const remarkShorter =
  (remark: (text: string) => void) =>
  <R>(trial$: Observable<Trial<number, R>>): Observable<Trial<number, R>> =>
    trial$.pipe(
      scan((before, trial) => {
        const left = trial.reduction.items.length;
        if (left < before.reduction.items.length)
          remark(`run ${trial.runs}: ${left === 1 ? '1 line is' : `${left} lines are`} left`);
        return trial;
      }),
    );
