/** Turns what throws into a stream that errors. */
import { type Observable, throwError } from 'rxjs';

/** The stream that `make` returns; where it throws, one that errors with that. Unlike `defer` it is one subscription less for each turn. */
export const caught = <T>(make: () => Observable<T>): Observable<T> => {
  try {
    return make();
  } catch (error) {
    return throwError(() => error);
  }
};
