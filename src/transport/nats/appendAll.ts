/** Writing to a stream, each message acknowledged, however often the connection is lost. */
import {
  asyncScheduler,
  BehaviorSubject,
  defer,
  filter,
  finalize,
  map,
  mergeMap,
  type Observable,
  type OperatorFunction,
  pairwise,
  retry,
  tap,
  throwError,
  timer,
} from 'rxjs';
import type { Backpressure } from '../../streams';
import { isPassing } from './natsError';
import type { NatsAppend, NatsAppended, NatsLink } from './natsLink';

/**
 * `window` is how many messages may be unacknowledged at once. With 1, the default, they are stored in order; with more, one that had to be sent
 * again may stand behind later ones, so the reader needs a number in them. `maxBytes` is where backpressure begins, of what was taken and is not
 * acknowledged. A message that fails for longer than `patienceMs` is the error of all; by default it is sent again without end.
 */
export type AppendDeps = {
  link: Pick<NatsLink, 'append'>;
  window?: number;
  maxBytes: number;
  patienceMs?: number;
};

/** The message, and where the stream has it. */
export type Acknowledged = NatsAppended & { message: NatsAppend };

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;

/**
 * `append` emits each message when the stream has it, completes after the last, and errors with what does not pass: `full`, `conflict`, `refused`.
 * A message without an `id` that was in doubt may be stored twice. `backpressure` is for the sources of it.
 *   in    a-b------|
 *   link  --A
 *   link    -#           (b: no acknowledgement)
 *   link        --B      (b again, with the same id)
 *   out   --A-----B-|
 */
export const appendAll = ({ link, window = 1, maxBytes, patienceMs = Number.POSITIVE_INFINITY }: AppendDeps) => {
  const waitingBytes$ = new BehaviorSubject(0); // from the messages taken and acknowledged to the sources that ask whether it is full
  const add = (bytes: number) => waitingBytes$.next(waitingBytes$.value + bytes);
  const append: OperatorFunction<NatsAppend, Acknowledged> = (message$) =>
    message$.pipe(
      tap(({ data }) => add(data.length)),
      mergeMap((message) => {
        const appended$ = link.append(message).pipe(again(patienceMs));
        return appended$.pipe(
          map((appended) => ({ ...appended, message })),
          finalize(() => add(-message.data.length)),
        );
      }, window),
    );
  const drain$ = waitingBytes$.pipe(
    pairwise(),
    filter(([before, now]) => before > maxBytes / 2 && now <= maxBytes / 2),
  );
  const backpressure: Backpressure = { isFull: () => waitingBytes$.value > maxBytes, drain$ };
  return { append, backpressure };
};

/** Subscribes again after what passes, until the patience is over. */
const again =
  <T>(patienceMs: number) =>
  (source$: Observable<T>): Observable<T> =>
    defer(() => {
      const beganMs = asyncScheduler.now();
      const wait = (error: unknown, attempt: number) =>
        isPassing(error) && asyncScheduler.now() - beganMs < patienceMs
          ? timer(Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS))
          : throwError(() => error);
      return source$.pipe(retry({ delay: wait }));
    });
