/** Plays a session against a server: the client's half, by what comes or by the clock. */
import {
  asapScheduler,
  catchError,
  concatMap,
  connect,
  defer,
  distinctUntilChanged,
  endWith,
  filter,
  from,
  ignoreElements,
  last,
  type MonoTypeOperatorFunction,
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
  take,
  takeWhile,
  timer,
  withLatestFrom,
} from 'rxjs';
import { connectPeers } from '../streams/connectPeers';
import { reasonOf } from '../streams/text/reasons';
import { inputFirst } from '../streams/time/limits';
import type { Play } from './play';
import type { Score } from './score';
import type { Server } from './server';
import { type Input, isComplete, type Moves, openState, type ServerInput, type State, step, toLate } from './step';

/** How long the server may be silent. */
export type Patience = {
  /** While something is to come. */
  limitMs: number;
  /** After everything has come. */
  settleMs: number;
};

/** A session as it is written, and the server under test. */
export type Conversation = Pick<Moves, 'asideOf'> & { score: Score; server: Server };

type ClientInput = Exclude<Input['kind'], ServerInput['kind']>;

type ConversationDeps = Conversation & {
  pace: Moves['pace'];
  /** The present frame. */
  now: () => number;
  /** Emits when the client acts by itself. */
  client$: Observable<ClientInput>;
  patience: Patience;
};

/** Plays in order: the client sends a note when all before it has come. Emits how it went, and completes. A failing server is a state, not an error. */
export const playInOrder = (conversation: Conversation, patience: Patience): Observable<State> =>
  converse({
    ...conversation,
    patience,
    pace: 'inOrder',
    now: () => 0,
    client$: scheduled(['start' as const], asapScheduler),
  });

/** Plays in time: the client sends its notes at their frames. Emits how it went when the server has ended or `lastFrame` has come, and completes. */
export const playInTime = (
  conversation: Conversation,
  { now, lastFrame }: { now: () => number; lastFrame: number },
): Observable<State> => {
  const { notes, end } = conversation.score.client;
  const send$ = from(notes).pipe(mergeMap(({ frame }) => timer(frame).pipe(map(() => 'send' as const))));
  const close$ = end ? timer(end.frame).pipe(map(() => 'close' as const)) : of<ClientInput>();
  return converse({
    ...conversation,
    now,
    pace: 'inTime',
    patience: { limitMs: lastFrame, settleMs: lastFrame },
    client$: merge(send$, close$),
  });
};

const converse = (deps: ConversationDeps): Observable<State> =>
  connectPeers<State, ServerInput>(clientPeer(deps), serverPeer(deps.server)).pipe(
    filter((sent) => sent.from === 'near'),
    map(({ item }) => item),
    takeWhile(({ phase }) => phase === 'playing', true),
    last(),
  );

/** From what the server sends to the states of the session. */
const clientPeer =
  ({ score, now, client$, patience, ...moves }: ConversationDeps): OperatorFunction<ServerInput, State> =>
  (server$) =>
    defer(() =>
      merge(server$, client$.pipe(map((kind) => ({ kind })))).pipe(
        map((input): Input => ({ ...input, frame: now() })),
        scan(step(moves), openState(score)),
        untilLate(patience),
      ),
    );

/** How many times the limit a session may take without a step, if the server sends what is left out of the comparison. */
const STALLED_TIMES = 10;

/**
 * Each state waits for the next as long as patience lasts. A line of the server that is surplus does not prolong it: some servers never are silent.
 * Emits the states, then that it is too late.
 */
const untilLate = ({ limitMs, settleMs }: Patience): MonoTypeOperatorFunction<State> =>
  connect((state$: Observable<State>) => {
    const wait = (isSame: (a: State, b: State) => boolean, times: number) =>
      state$.pipe(
        distinctUntilChanged(isSame),
        switchMap((state) => timer(isComplete(state) ? settleMs : times * limitMs, inputFirst)),
      );
    const late$ = merge(wait(isSurplus, 1), wait(isStalled, STALLED_TIMES)).pipe(
      withLatestFrom(state$, (_, state) => toLate(state, limitMs)),
      take(1),
    );
    return merge(late$, state$); // in this order, as a state may lead to the next one at once
  });

const isStalled = (before: State, { play, clientInput, phase }: State): boolean =>
  phase === before.phase &&
  clientInput === before.clientInput &&
  play.sent === before.play.sent &&
  countExpected(play) === countExpected(before.play);

const isSurplus = (before: State, state: State): boolean =>
  isStalled(before, state) && (isComplete(state) || state.play.counted === before.play.counted);

const countExpected = ({ expected }: Play): number => expected.reduce((sum, notes) => sum + notes.length, 0);

/** The server sees the client's lines until its input is closed; the states are consumed to the end. */
const serverPeer =
  (server: Server): OperatorFunction<State, ServerInput> =>
  (state$) =>
    state$.pipe(
      connect((shared$) =>
        merge(
          shared$.pipe(
            takeWhile(({ clientInput }) => clientInput === 'open', true),
            concatMap(({ output }) => output),
            (line$) => defer(() => server(line$)).pipe(subscribeOn(asapScheduler)), // once the client is subscribed
            map((line): ServerInput => ({ kind: 'line', line })),
            endWith<ServerInput>({ kind: 'ended', sign: '|', reason: '' }),
            catchError((error: unknown) => of<ServerInput>({ kind: 'ended', sign: '#', reason: reasonOf(error) })),
          ),
          shared$.pipe(ignoreElements()),
        ),
      ),
    );
