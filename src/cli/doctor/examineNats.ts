/** Whether a NATS server can be used: a connection, a login, and JetStream. */
import { catchError, map, type Observable, of, switchMap, take, throwError, timeout } from 'rxjs';
import type { NatsLink } from '../../fleet/link/natsLink';
import { isNatsFailure } from '../../io/nats/natsAddress';
import type { Result } from './finding';

const LIMIT_MS = 10_000;

/** Emits how long the server takes to answer. Errors where it cannot be reached, refuses the login, or has no JetStream. */
export const examineNats = (link$: Observable<NatsLink>): Observable<Result> => {
  const startMs = Date.now();
  return link$.pipe(
    switchMap((link) =>
      link.findStream(`${link.prefix}-tapes`).pipe(
        map((found) => `with JetStream, and ${found === undefined ? 'without tapes' : 'with tapes'}`),
        catchError((error) =>
          isNatsFailure(error, 'refused') ? of('and lets this login read no tapes') : throwError(() => error),
        ),
        map((text) => ({ text: `${link.address} answers, ${text}` })),
      ),
    ),
    take(1),
    timeout(LIMIT_MS),
    map((result) => ({ ...result, ms: Date.now() - startMs })),
  );
};
