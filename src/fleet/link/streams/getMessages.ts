/** Reading a stream message by message, for a login that may have no consumer. */
import {
  concat,
  defaultIfEmpty,
  defer,
  expand,
  filter,
  map,
  type Observable,
  of,
  skip,
  switchMap,
  take,
  throwError,
  timer,
} from 'rxjs';
import { NatsError } from '../../../io/nats/natsAddress';
import type { Backpressure } from '../../../streams/backpressure';
import type { NatsConsumed, NatsStored } from '../natsLink';

/** `next` emits the first message of the subject at this sequence or after it, undefined where there is none yet, and completes. */
export type GetMessagesDeps = {
  next: (seq: number) => Observable<NatsStored | undefined>;
  backpressure: Backpressure;
};

/** What is known of the stream; `from` is where the reading begins. */
export type GetBegin = { from: number; firstSeq: number; lastSeq: number };

/** How long it waits for the next message, and how often in a row until a consumer is tried again. */
const WAIT_MS = 500;
const MAX_WAITS = 60;

/** `message` is emitted with this step; `next` follows it; `seq` is where the step after it asks. */
type Step = { message?: NatsStored; next: NatsStored | undefined; seq: number; order: number; waits: number };

/**
 * Emits the begin and then each message, in order, as a consumer does; `pending` is 1 where another follows. Polls twice a second for new ones. Never
 * completes; errors with `next`, and with `timeout` after half a minute without a message, so that the next reader tries a consumer again.
 *   next  -a-b-.    500ms -c   (. none)
 *   out   -b--a--b  500ms ---c
 */
export const getMessages = (deps: GetMessagesDeps, begin: GetBegin): Observable<NatsConsumed> =>
  deps.next(begin.from).pipe(
    map((next): Step => ({ next, seq: begin.from, order: 0, waits: 0 })),
    switchMap((first) =>
      concat(
        of<NatsConsumed>({
          kind: 'begin',
          firstSeq: begin.firstSeq,
          lastSeq: begin.lastSeq,
          pending: pendingOf(first),
        }),
        of(first).pipe(
          expand((step) => after(deps, step), 1),
          skip(1),
          map(toMessage),
          filter((message) => message !== undefined),
        ),
      ),
    ),
  );

const pendingOf = ({ next }: Step): number => (next === undefined ? 0 : 1);

const toMessage = (step: Step): NatsStored | undefined =>
  step.message && { ...step.message, order: step.order, pending: pendingOf(step) };

/** The next message is emitted once it is known whether another follows. */
const after = ({ next, backpressure }: GetMessagesDeps, step: Step): Observable<Step> => {
  const { next: message, order } = step;
  if (message === undefined) return waited(next, step);
  const seq = message.seq + 1;
  return drained(backpressure).pipe(
    switchMap(() => next(seq)),
    map((found) => ({ message, next: found, seq, order: order + 1, waits: 0 })),
  );
};

const waited = (next: GetMessagesDeps['next'], { seq, order, waits }: Step): Observable<Step> =>
  waits === MAX_WAITS
    ? throwError(() => new NatsError('timeout', 'reading message by message: a consumer is tried again'))
    : timer(WAIT_MS).pipe(
        switchMap(() => next(seq)),
        map((found) => ({ next: found, seq, order, waits: waits + 1 })),
      );

/** Emits when the reader takes more. */
const drained = ({ isFull, drain$ }: Backpressure): Observable<unknown> =>
  defer(() => (isFull() ? drain$.pipe(take(1), defaultIfEmpty(undefined)) : of(undefined)));
