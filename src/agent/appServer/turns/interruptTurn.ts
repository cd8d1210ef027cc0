/** Stops a turn that is running in the server. */
import {
  combineLatest,
  connect,
  delay,
  ignoreElements,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  retry,
  switchMap,
  take,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import type { TurnStop } from '../../turns/turnEnd';
import type { Link } from '../connection/link';
import type { TurnInput } from './reduceTurn';

/** How long a turn may take to end once it was interrupted, and the pause between attempts, in ms. */
const END_WAIT_MS = 3_000;
const RETRY_MS = 100;

/** @param turnId$ the newest known id of the turn; emits one from the start */
export type InterruptDeps = { link: Link; threadId: string; turnId$: Observable<string> };

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
        const late$ = first$.pipe(delay(END_WAIT_MS));
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
