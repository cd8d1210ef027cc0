/** Plays a session against a server: the client's half, by what comes or by the clock. */

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
import { connectPeers } from '../streams/connectPeers';
import { reasonOf } from '../streams/text/reasons';
import { inputFirst } from '../streams/time/limits';
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

/** From what the server sends to the states of the session; each waits for the next as long as patience lasts. */
const clientPeer =
  ({ score, now, client$, patience, ...moves }: ConversationDeps): OperatorFunction<ServerInput, State> =>
  (server$) =>
    defer(() =>
      merge(server$, client$.pipe(map((kind) => ({ kind })))).pipe(
        map((input): Input => ({ ...input, frame: now() })),
        scan(step(moves), openState(score)),
        switchMap((state) =>
          concat(
            of(state),
            timer(isComplete(state) ? patience.settleMs : patience.limitMs, inputFirst).pipe(
              map(() => toLate(state, patience.limitMs)),
            ),
          ),
        ),
      ),
    );

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
