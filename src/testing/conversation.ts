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
import { talk } from '../streams';
import { hasHeardBefore, hear, openPlay, type Play, say } from './play';
import type { End, Score } from './score';
import type { Server } from './server';

type Heard = { kind: 'line'; line: string } | { kind: 'ended'; sign: End['sign']; reason: string };
type Cue = Heard | { kind: 'start' } | { kind: 'say' } | { kind: 'close' };

/** Where a session is. `input` is the client's; `trouble` is what happened besides what was said. */
export type State = {
  play: Play;
  phase: 'playing' | 'over';
  input: 'open' | 'closed';
  out: string[];
  end?: End;
  trouble: string[];
};

/** `now` is the frame; `whenHeard`: whether the client speaks as soon as it may, or only when it is told to. */
type Deps = { score: Score; now: () => number; whenHeard: boolean };

/** How long a server may be silent in ms: while something is to come, and when all has come. */
export type Patience = { limitMs: number; settleMs: number };

/** Plays in order: the client says a note when all before it has come. Emits how it went. */
export const playInOrder = (score: Score, server: Server, patience: Patience): Observable<State> =>
  converse({ score, now: () => 0, whenHeard: true }, server, scheduled([{ kind: 'start' }], asapScheduler), patience);

/** Plays in time: the client says its notes at their frames. Emits how it went, when the server has ended or `lastFrame` has come. */
export const playInTime = (score: Score, server: Server, now: () => number, lastFrame: number): Observable<State> => {
  const { notes, end } = score.client;
  const said$ = from(notes).pipe(mergeMap(({ frame }) => timer(frame).pipe(map((): Cue => ({ kind: 'say' })))));
  const closed$ = end ? timer(end.frame).pipe(map((): Cue => ({ kind: 'close' }))) : of<Cue>();
  const patience = { limitMs: lastFrame, settleMs: lastFrame };
  return converse({ score, now, whenHeard: false }, server, merge(said$, closed$), patience);
};

const converse = (deps: Deps, server: Server, cue$: Observable<Cue>, patience: Patience): Observable<State> =>
  talk<State, Heard>(nearOf(deps, cue$, patience), farOf(server)).pipe(
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

/** The session after a cue; what was played changes in place. */
const step = (deps: Deps, state: State, cue: Cue): State => {
  const { play } = state;
  play.out = [];
  if (cue.kind === 'line') hear(play, cue.line, deps.now());
  if (cue.kind === 'ended') return toEnded(state, { frame: deps.now(), sign: cue.sign }, cue.reason);
  if (cue.kind === 'close') return { ...state, out: [], input: 'closed' };
  if (cue.kind === 'say' && !say(play)) return skip(state);
  const input = deps.whenHeard && state.input === 'open' ? goOn(play) : state.input;
  return { ...state, input, out: play.out };
};

/** Says all that may be said; the input is closed behind the last of it. */
const goOn = (play: Play): State['input'] => {
  const { notes, end } = play.score.client;
  for (;;) {
    const note = notes[play.said];
    if (note === undefined) return hasHeardBefore(play, end?.frame ?? Number.POSITIVE_INFINITY) ? 'closed' : 'open';
    if (!hasHeardBefore(play, note.frame) || !say(play)) return 'open';
  }
};

const skip = (state: State): State => {
  const note = state.play.score.client.notes[state.play.said];
  state.play.said += 1;
  return { ...state, out: [], trouble: [...state.trouble, `what ${note?.letter} refers to had not come by then`] };
};

const toEnded = (state: State, end: End, reason: string): State => ({
  ...state,
  phase: 'over',
  out: [],
  end,
  trouble: [...state.trouble, ...(reason === '' ? [] : [reason])],
});

/** Nothing more is to come, but the end of the server, which need not. */
const isComplete = ({ play, input }: State): boolean =>
  input === 'closed' && hasHeardBefore(play, Number.POSITIVE_INFINITY) && !play.score.server.some(({ end }) => end);

const toLate = (state: State, limitMs: number): State => ({
  ...state,
  phase: 'over',
  out: [],
  trouble: isComplete(state) ? state.trouble : [...state.trouble, `the server was silent for ${limitMs} ms`],
});
