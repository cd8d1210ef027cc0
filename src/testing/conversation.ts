/** Owns letting a session be played: the client's half by what was heard or by the clock, against a server. */
import {
  asapScheduler,
  catchError,
  concat,
  concatMap,
  connect,
  defer,
  endWith,
  filter,
  from,
  ignoreElements,
  last,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  scan,
  scheduled,
  subscribeOn,
  switchMap,
  takeWhile,
  timer,
} from 'rxjs';
import { connectPeers } from '../streams';
import { openPlay } from './play';
import type { Score } from './score';
import type { Server } from './server';
import { type Cue, type Heard, isComplete, type State, type StepDeps, step, toLate } from './state';

type Deps = StepDeps & { score: Score };

/** How long a server may be silent in ms: while something is to come, and when all has come. */
export type Patience = { limitMs: number; settleMs: number };

/** Plays in order: the client says a note when all before it has come. Emits how it went. */
export const playInOrder = (score: Score, server: Server, patience: Patience): Observable<State> =>
  converse(
    { score, now: () => 0, speaks: 'when it may' },
    server,
    scheduled([{ kind: 'start' }], asapScheduler),
    patience,
  );

/** Plays in time: the client says its notes at their frames. Emits how it went, when the server has ended or `lastFrame` has come. */
export const playInTime = (score: Score, server: Server, now: () => number, lastFrame: number): Observable<State> => {
  const { notes, end } = score.client;
  const said$ = from(notes).pipe(mergeMap(({ frame }) => timer(frame).pipe(map((): Cue => ({ kind: 'say' })))));
  const closed$ = end ? timer(end.frame).pipe(map((): Cue => ({ kind: 'close' }))) : of<Cue>();
  const patience = { limitMs: lastFrame, settleMs: lastFrame };
  return converse({ score, now, speaks: 'at a cue' }, server, merge(said$, closed$), patience);
};

const converse = (deps: Deps, server: Server, cue$: Observable<Cue>, patience: Patience): Observable<State> =>
  connectPeers<State, Heard>(nearOf(deps, cue$, patience), farOf(server)).pipe(
    filter((said) => said.from === 'near'),
    map(({ item }) => item),
    takeWhile(({ phase }) => phase === 'playing', true),
    last(),
  );

const nearOf =
  (deps: Deps, cue$: Observable<Cue>, patience: Patience): OperatorFunction<Heard, State> =>
  (heard$) =>
    defer(() =>
      merge(heard$, cue$).pipe(
        scan<Cue, State>((state, cue) => step(deps, state, cue), {
          play: openPlay(deps.score),
          phase: 'playing',
          input: 'open',
          out: [],
          trouble: [],
        }),
        switchMap((state) =>
          concat(
            of(state),
            timer(isComplete(state) ? patience.settleMs : patience.limitMs).pipe(
              map(() => toLate(state, patience.limitMs)),
            ),
          ),
        ),
      ),
    );

/** The client goes on listening when its input is closed, so its states are heard to the end. */
const farOf =
  (server: Server): OperatorFunction<State, Heard> =>
  (state$) =>
    state$.pipe(
      connect((shared$) =>
        merge(
          shared$.pipe(
            takeWhile(({ input }) => input === 'open', true),
            concatMap(({ out }) => out),
            (line$) => defer(() => server(line$)).pipe(subscribeOn(asapScheduler)), // when its first word is heard
            map((line): Heard => ({ kind: 'line', line })),
            endWith<Heard>({ kind: 'ended', sign: '|', reason: '' }),
            catchError((error: Error) => of<Heard>({ kind: 'ended', sign: '#', reason: `${error?.message ?? error}` })),
          ),
          shared$.pipe(ignoreElements()),
        ),
      ),
    );
