/** Shrinks a session against which a server differs, or at which it crashes, while it still does. */
import { concatMap, EMPTY, expand, last, map, type Observable, of, range, tap, toArray } from 'rxjs';
import { checkNew } from '../../app/tapes/checkNew';
import { checkWhole, type LoadDeps, loadSession } from '../../app/tapes/loadTape';
import { writeNew } from '../../app/tapes/writeNew';
import type { LaneResult } from '../../tapes/diff/compare';
import { withoutPlaces } from '../../tapes/diff/places';
import { loadMasks } from '../../tapes/files/loadMasks';
import type { Session, TapeItem } from '../../tapes/format/tape';
import { toTapeLine } from '../../tapes/format/tapeLines';
import type { MaskWords } from '../../tapes/matching/maskWords';
import type { Pace } from '../../tapes/replayClient/clientPlan';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import {
  type ServerDeps,
  type SessionOptions,
  type VerifiedSession,
  verifySession,
} from '../../tapes/sessions/verifySession';
import { type Followed, failuresOf, remarkUnstable, toFollowed } from '../../tapes/shrink/followedFailure';
import {
  afterTrial,
  candidateOf,
  optionalLines,
  pickLines,
  type Reduction,
  startReduction,
  unsolicitedLabels,
} from '../../tapes/shrink/pickLines';
import type { TapeChoice } from './startServing';

/**
 * `maxRuns` limits how often the server is started, `wholeRuns` of them with the whole session first; `out` is a new file for the tape, `spec` one that is
 * written from it.
 */
export type ShrinkOptions = {
  command: readonly string[];
  words: MaskWords;
  limitMs: number;
  pace: Pace;
  wholeRuns: number;
  maxRuns: number;
  out?: string;
  spec?: string;
};

/**
 * `same`: the server answers as recorded. `unstable`: it differs in other ways each time. `shrunk`: how many lines of the client were and are left, and how
 * the server differs from them.
 */
export type Shrunk =
  | { kind: 'same' | 'unstable' }
  | { kind: 'shrunk'; before: number; after: number; runs: number; results: readonly LaneResult[] };

type Trying = { reduction: Reduction<number>; runs: number; results: readonly LaneResult[]; now: Session };

/**
 * Plays the session whole, several times, then ever smaller parts of it. What differs between the whole runs is left out. Emits once and completes. Errors with
 * TapeError where nothing can be played.
 */
export const startShrinking = (
  deps: LoadDeps & ServerDeps,
  choice: TapeChoice,
  options: ShrinkOptions,
): Observable<Shrunk> =>
  loadSession(deps, choice.path, choice.session).pipe(
    map((loaded) => checkWhole(loaded, choice.allow)),
    tap(() => checkNew([options.out, options.spec])),
    concatMap((session) => {
      const masks = loadMasks(deps.remark, choice.path, options.words);
      const run = (one: Session) => verifySession(deps, one, { ...options, masks } satisfies SessionOptions);
      return range(0, options.wholeRuns).pipe(
        concatMap(() => run(session)),
        toArray(),
        concatMap((whole) => {
          const followed = toFollowed(whole);
          remarkUnstable(deps.remark, followed.unstable, whole.length);
          if (followed.kind !== 'failure') return of<Shrunk>(followed);
          deps.remark(`the failure: ${followed.failure}`);
          return shrink({ deps, options, run, followed }, session, whole[0] as VerifiedSession);
        }),
      );
    }),
  );

type Shrinking = {
  deps: LoadDeps;
  options: ShrinkOptions;
  run: (session: Session) => Observable<VerifiedSession>;
  followed: Extract<Followed, { kind: 'failure' }>;
};

/** The session with some of its lines, and with what the server sent unasked in the run before. */
type PickLines = (lines: readonly number[], now: Session) => Session;

const shrink = (shrinking: Shrinking, session: Session, whole: VerifiedSession): Observable<Shrunk> => {
  const { options, followed } = shrinking;
  const index = toSessionIndex(session);
  const lines = optionalLines(index);
  const pick: PickLines = (lines, now) =>
    pickLines(session, index, { lines, unasked: unsolicitedLabels(toSessionIndex(now)) });
  const { results: first, now: firstNow } = whole;
  return of<Trying>({ reduction: startReduction(lines), runs: options.wholeRuns, results: first, now: firstNow }).pipe(
    expand(tryNext(shrinking, pick)),
    last(),
    map(({ reduction: { items }, runs, results, now }): Shrunk => {
      if (options.out !== undefined) writeNew(options.out, toTape(pick(items, now)));
      const left = withoutPlaces(results, followed.unstable);
      return { kind: 'shrunk', before: lines.length, after: items.length, runs, results: left };
    }),
  );
};

/** Plays the next shorter session; emits nothing where there is none, or where there were enough. */
const tryNext =
  ({ deps, options, run, followed: { failure, unstable } }: Shrinking, pick: PickLines) =>
  ({ reduction, runs, results, now }: Trying): Observable<Trying> => {
    const candidate = runs < options.maxRuns ? candidateOf(reduction) : undefined;
    if (candidate === undefined) return EMPTY;
    return run(pick(candidate, now)).pipe(
      map((verified): Trying => {
        const isIt = failuresOf(verified, unstable).includes(failure);
        const after = afterTrial(reduction, isIt ? 'fails' : 'passes');
        return { reduction: after, runs: runs + 1, ...(isIt ? verified : { results, now }) };
      }),
      tap(({ reduction: { items }, runs: count }) => {
        if (items.length < reduction.items.length)
          deps.remark(`run ${count}: ${items.length === 1 ? '1 line is' : `${items.length} lines are`} left`);
      }),
    );
  };

const toTape = ({ meta, entries }: Session): string => {
  const items: TapeItem[] = [
    { kind: 'meta', lineNumber: 1, meta },
    ...entries.map((entry): TapeItem => ({ kind: 'entry', ...entry })),
  ];
  return `${items.flatMap((item) => toTapeLine(item) ?? []).join('\n')}\n`;
};
