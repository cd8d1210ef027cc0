/** Counts the requests that one answer takes. */
import { catchError, defer, type Observable, throwError } from 'rxjs';
import type { HttpPost } from '../../io/http/httpRequest';
import { ModelError } from '../../protocol/model/model';

/**
 * Makes an answer with a `post` whose requests are counted; a ModelError of the answer carries their number.
 *   post    x-x     (two requests that fail)
 *   out     --#     (tried.requests is 2)
 */
export const countRequests = <T>(post: HttpPost, answer: (post: HttpPost) => Observable<T>): Observable<T> =>
  defer(() => {
    let requests = 0;
    const counted: HttpPost = (request) =>
      defer(() => {
        requests += 1;
        return post(request);
      });
    return answer(counted).pipe(catchError((error: unknown) => throwError(() => withCount(error, requests))));
  });

const withCount = (error: unknown, requests: number): unknown =>
  error instanceof ModelError ? new ModelError(error.message, error.retryable, { ...error.tried, requests }) : error;
