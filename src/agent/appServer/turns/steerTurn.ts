/** What a caller does to a turn that is running in the server: more input, and a stop. */
import {
  catchError,
  combineLatest,
  connect,
  delay,
  EMPTY,
  filter,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  retry,
  scan,
  switchMap,
  take,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import { type Event, endsTurn, type Joined } from '../../../protocol/codex/events';
import type { TurnOp } from '../../../protocol/codex/operations';
import { flatten } from '../../../streams/gather';
import { inputFirst } from '../../../streams/time/limits';
import type { InputOffer } from '../../turns/queueTurns';
import type { TurnStop } from '../../turns/turnEvents';
import type { Link } from '../connection/link';
import type { TurnInput } from './reduceTurn';
import { toItems } from './turnParams';

type SteerDeps = {
  link: Link;
  threadId: string;
  /** The folder of the thread. */
  cwd: string;
  /** Of the turn. */
  callId: string;
  /** The events of the turn, hot. */
  event$: Observable<Event>;
};

/**
 * Sends each input once the server has named its turn, and emits that it joined once the server has accepted it. An input that the server
 * refuses, that is withdrawn, or that comes too late is left to become a turn of its own. Completes with the turn and the last response.
 *   event$  --s------z      (s the first event with the id of the turn, z the last event)
 *   input$  i---i-----
 *   out     ---J-J---|      (J joined)
 * Source: codex app-server 0.142.0 to 0.169.0, `turn/steer`.
 */
export const steerTurn =
  ({ link, threadId, cwd, callId: turnCallId, event$ }: SteerDeps): OperatorFunction<InputOffer, Joined> =>
  (input$) => {
    const named$ = event$.pipe(
      map((event): Named => ({ kind: 'named', turnId: 'turnId' in event ? event.turnId : '' })),
      filter(({ turnId }) => turnId !== ''),
      take(1),
    );
    return merge(named$, input$).pipe(
      takeUntil(event$.pipe(filter(endsTurn))),
      scan(reduceSteering, NOTHING),
      map(({ output }) => output),
      flatten(),
      mergeMap(({ op: { callId, input }, turnId: expectedTurnId }) =>
        link.request('turn/steer', { threadId, expectedTurnId, input: toItems(input, cwd) }).pipe(
          map((): Joined => ({ kind: 'joined', callId, threadId, turnCallId })),
          catchError(() => EMPTY), // the turn itself reports a server that is gone
        ),
      ),
    );
  };

type Named = { kind: 'named'; turnId: string };

type Steering = {
  turnId: string;
  /** Inputs received before the id of the turn is known. */
  waiting: readonly TurnOp[];
  output: readonly Steer[];
};
type Steer = { op: TurnOp; turnId: string };

const NOTHING: Steering = { turnId: '', waiting: [], output: [] };

const reduceSteering = ({ turnId, waiting }: Steering, input: Named | InputOffer): Steering => {
  switch (input.kind) {
    case 'named':
      return { ...NOTHING, turnId: input.turnId, output: waiting.map((op) => ({ op, turnId: input.turnId })) };
    case 'offered':
      if (turnId === '') return { ...NOTHING, waiting: [...waiting, input.op] };
      return { ...NOTHING, turnId, output: [{ op: input.op, turnId }] };
    case 'withdrawn':
      return { turnId, waiting: waiting.filter(({ callId }) => callId !== input.callId), output: [] };
  }
};

/** How long a turn may take to end once it was interrupted, and the pause between attempts, in ms. */
const END_WAIT_MS = 3_000;
const RETRY_MS = 100;

type InterruptDeps = {
  link: Link;
  threadId: string;
  /** The newest known id of the turn; emits at once. */
  turnId$: Observable<string>;
};

/**
 * Interrupts the turn once, at the first stop; tries again while the server refuses, because a turn that was only just started is
 * not known at once, and whenever the id of the turn becomes known. Emits that the turn is being stopped, and that it has ended
 * if the server does not end it in time.
 *   stop  -x
 *   out   -S 3s (E|)
 * Source: codex app-server 0.142.0 to 0.169.0.
 */
export const interruptTurn =
  ({ link, threadId, turnId$ }: InterruptDeps): OperatorFunction<TurnStop, TurnInput> =>
  (stop$) =>
    stop$.pipe(
      take(1),
      connect((first$) => {
        const late$ = first$.pipe(delay(END_WAIT_MS, inputFirst));
        const requests$ = combineLatest([turnId$, first$]).pipe(
          switchMap(([turnId]) =>
            link.request('turn/interrupt', { threadId, turnId }).pipe(retry({ delay: () => timer(RETRY_MS) })),
          ),
          takeUntil(late$),
          ignoreElements(),
        );
        return merge(
          first$.pipe(map((stop): TurnInput => ({ kind: 'stopping', stop }))),
          requests$,
          late$.pipe(
            tap(() => link.giveUp(threadId)),
            map((end): TurnInput => ({ kind: 'ended', end })),
          ),
        );
      }),
    );
