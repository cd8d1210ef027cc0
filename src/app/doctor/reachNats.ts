/** Whether a NATS server can be used: a connection, a login, and JetStream. */
import { map, type Observable, switchMap, take, timeout } from 'rxjs';
import type { NatsLink } from '../../transport/nats';
import type { Result } from './finding';

const LIMIT_MS = 10_000;

/** Emits how long the server takes to answer. Errors where it cannot be reached, refuses the login, or has no JetStream. */
export const reachNats = (link$: Observable<NatsLink>): Observable<Result> => {
  const startMs = Date.now();
  return link$.pipe(
    switchMap((link) =>
      link.findStream(`${link.prefix}-doctor`).pipe(map(() => ({ text: `${link.address} answers, with JetStream` }))),
    ),
    take(1),
    timeout(LIMIT_MS),
    map((result) => ({ ...result, ms: Date.now() - startMs })),
  );
};
