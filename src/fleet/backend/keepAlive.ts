/** Pings an executor, to see whether it still has our connection. */
import { catchError, exhaustMap, ignoreElements, map, type Observable, of, scan, tap, throwError, timer } from 'rxjs';
import { isNatsFailure } from '../../io/nats/natsError';
import { kindHeader, kindOf, NOTHING } from '../executor/busMessage';
import type { NatsLink } from '../link/natsLink';

/** @param subject that of the connection's messages */
export type KeepAliveDeps = { link: Pick<NatsLink, 'request' | 'address'>; subject: string; executor: string };

const BEAT_MS = 1_500;
const ANSWER_MS = 2_000;
/** How many pings in a row may time out: an executor that is connected but silent gets some 25 s, as its network may be slow. */
const MAX_LATE = 8;

/**
 * Pings the executor, which considers a connection without pings lost. Emits nothing; errors when the executor is gone, when it no
 * longer knows the connection, and when it was silent for too long; with NatsError if pings cannot be sent.
 *   request  -p--r-p---#     (p a ping, r its response, # nobody serves the subject)
 *   out      ----------#
 */
export const keepAlive = ({ link, subject, executor }: KeepAliveDeps): Observable<never> => {
  const ping$ = link.request({ subject, data: NOTHING, headers: kindHeader('ping'), timeoutMs: ANSWER_MS }).pipe(
    map(({ headers }) => (kindOf(headers) === 'unknown' ? 'unknown' : 'there')),
    catchError((error) => {
      if (isNatsFailure(error, 'timeout')) return of('late' as const);
      return throwError(() => (isNatsFailure(error, 'noResponder') ? gone(link, executor) : error));
    }),
  );
  return timer(BEAT_MS, BEAT_MS).pipe(
    exhaustMap(() => ping$),
    tap((answer) => {
      if (answer === 'unknown') throw new Error(`the executor ${executor} ${FORGOTTEN}`);
    }),
    scan((late, answer) => (answer === 'late' ? late + 1 : 0), 0),
    tap((late) => {
      if (late >= MAX_LATE) throw new Error(`the executor ${executor} ${SILENT}`);
    }),
    ignoreElements(),
  );
};

const FORGOTTEN =
  'has lost the connection: it was restarted, or received nothing from here for some seconds; call again';
const SILENT =
  'has not answered for some 25 s: see whether its machine is suspended or overloaded, and whether its network works';

const gone = ({ address }: Pick<NatsLink, 'address'>, executor: string): Error =>
  new Error(
    `the executor ${executor} is gone: start it again with codex-rx exec-server --listen ${address} --name ${executor}`,
  );
