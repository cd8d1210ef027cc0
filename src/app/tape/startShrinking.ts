/** Shrinks a session against which a server differs, or at which it crashes, while it still does. */
import { concatMap, EMPTY, expand, last, map, type Observable, of, take, tap } from 'rxjs';
import { EXIT_LABEL, type LaneResult } from '../../diff';
import type { Pace } from '../../replay';
import {
  afterTrial,
  candidateOf,
  type MaskWords,
  optionalLines,
  pickLines,
  type Reduction,
  startReduction,
  toSessionIndex,
} from '../../session';
import { type Session, type TapeItem, toTapeLine } from '../../tape';
import { checkNew } from './checkNew';
import { loadMasks } from './loadMasks';
import { checkWhole, type LoadDeps, loadSession } from './loadTape';
import type { TapeChoice } from './startServing';
import { type ServerDeps, type SessionOptions, type VerifiedSession, verifySession } from './verifySession';
import { writeNew } from './writeNew';

/** `maxRuns` limits how often the server is started; `out` is a new file for the tape, `spec` one that is written from it. */
export type ShrinkOptions = {
  command: readonly string[];
  words: MaskWords;
  limitMs: number;
  pace: Pace;
  maxRuns: number;
  out?: string;
  spec?: string;
};

/** `same`: the server answers as recorded. `shrunk`: how many lines of the client were and are left, and how the server differs from them. */
export type Shrunk =
  | { kind: 'same' }
  | { kind: 'shrunk'; before: number; after: number; runs: number; results: readonly LaneResult[] };

type Trying = { reduction: Reduction<number>; runs: number; results: readonly LaneResult[] };

/** Plays the session whole, then ever smaller parts of it. Emits once and completes. Errors with TapeError where nothing can be played. */
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
      return run(session).pipe(
        concatMap((whole) => {
          const failure = failureOf(whole);
          if (failure === undefined) return of<Shrunk>({ kind: 'same' });
          deps.remark(`the failure: ${failure}`);
          return shrink({ deps, options, run }, session, whole);
        }),
      );
    }),
  );

type Shrinking = {
  deps: LoadDeps;
  options: ShrinkOptions;
  run: (session: Session) => Observable<VerifiedSession>;
};

const shrink = ({ deps, options, run }: Shrinking, session: Session, whole: VerifiedSession): Observable<Shrunk> => {
  const index = toSessionIndex(session);
  const lines = optionalLines(index);
  const failure = failureOf(whole);
  const start: Trying = { reduction: startReduction(lines), runs: 1, results: whole.results };
  return of(start).pipe(
    expand(({ reduction, runs, results }) => {
      const candidate = candidateOf(reduction);
      if (candidate === undefined) return EMPTY;
      return run(pickLines(session, index, candidate)).pipe(
        map((verified): Trying => {
          const fails = failureOf(verified) === failure;
          const after = afterTrial(reduction, fails ? 'fails' : 'passes');
          return { reduction: after, runs: runs + 1, results: fails ? verified.results : results };
        }),
        tap(({ reduction: { items }, runs: count }) => {
          if (items.length < reduction.items.length)
            deps.remark(`run ${count}: ${items.length} of ${lines.length} lines are left`);
        }),
      );
    }),
    take(options.maxRuns),
    last(),
    map(({ reduction: { items }, runs, results }): Shrunk => {
      if (options.out !== undefined) writeNew(options.out, toTape(pickLines(session, index, items)));
      return { kind: 'shrunk', before: lines.length, after: items.length, runs, results };
    }),
  );
};

/** A crash or the first difference, in one text that is the same for a shorter session. */
const failureOf = ({ results, cause }: VerifiedSession): string | undefined => {
  if (cause !== undefined) return cause.split(';')[0];
  const differing = results.filter(({ difference }) => difference);
  const first = differing.find(({ label }) => label === EXIT_LABEL) ?? differing[0];
  if (first?.difference === undefined) return undefined;
  const { values, reason } = first.difference;
  return `${first.label}: ${reason ?? values[0]?.path ?? 'a message more or less'}`;
};

const toTape = ({ meta, entries }: Session): string => {
  const items: TapeItem[] = [
    { kind: 'meta', lineNumber: 1, meta },
    ...entries.map((entry): TapeItem => ({ kind: 'entry', ...entry })),
  ];
  return `${items.flatMap((item) => toTapeLine(item) ?? []).join('\n')}\n`;
};
