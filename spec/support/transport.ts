/** A transport as marbles: what its peer sends in frames, what it is sent in a list. */
import { connect, ignoreElements, last, merge, type Observable, takeUntil, tap } from 'rxjs';

/** A transport whose peer sends `incoming$`, whatever it is sent; `sent` grows with that. */
export const transportOf = <In, Out = unknown>(incoming$: Observable<In>) => {
  const sent: Out[] = [];
  const transport = (out$: Observable<Out>): Observable<In> =>
    incoming$.pipe(
      connect((in$) =>
        merge(
          in$,
          out$.pipe(
            tap((message) => sent.push(message)),
            ignoreElements(),
            takeUntil(in$.pipe(last(null, null))),
          ),
        ),
      ),
    );
  return { transport, sent };
};
