/** Forwards input to the turn that is running in the server. */
import {
  catchError,
  EMPTY,
  filter,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  scan,
  take,
  takeUntil,
} from 'rxjs';
import { type Event, endsTurn, type Joined } from '../../../protocol/codex/events';
import type { TurnOp } from '../../../protocol/codex/operations';
import { flatten } from '../../../streams/gather';
import type { InputOffer } from '../../turns/queueTurns';
import type { Link } from '../connection/link';
import { toItems } from './turnParams';

/** @param event$ the events of the turn, hot; @param callId of the turn; @param cwd the folder of the thread */
export type SteerDeps = { link: Link; threadId: string; cwd: string; callId: string; event$: Observable<Event> };

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

/** `waiting`: inputs received before the id of the turn is known. */
type Steering = { turnId: string; waiting: readonly TurnOp[]; output: readonly Steer[] };
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
