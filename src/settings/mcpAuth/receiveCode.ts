/** Receives the code that a browser brings back from a login. */
import { mergeMap, type Observable, of, take, throwError, timeout } from 'rxjs';
import { withoutEndSlash } from '../../streams/text/withoutEndSlash';
import { AuthError } from '../auth/authError';
import type { Listening, PendingCallback } from '../auth/browserLogin';
import { readCallback } from '../auth/callback';

/** A code, and the function that answers the browser that brought it. */
export type Code = { code: string; respond: PendingCallback['respond'] };

/** What a callback must have: the state of this login, and its path; if it names an issuer, `issuer`; with `namesItself` it must name one. */
export type Expected = { state: string; issuer: string; namesItself?: true; path: string; limitMs: number };

/**
 * Emits the code of the first callback that fits. Errors with AuthError: declined, timed out. Every other request is answered and has no effect.
 *   callback$  -x--c      (x another request, c the callback)
 *   out     ----(C|)
 */
export const receiveCode = (
  { port, callback$ }: Listening,
  { state, path, limitMs, ...server }: Expected,
): Observable<Code> =>
  callback$.pipe(
    mergeMap(({ request, respond }): Observable<Code> => {
      const outcome = readCallback({ port, state, isUsed: false, path }, request);
      if (outcome.kind === 'code' && isFrom(server, request.url)) return of({ code: outcome.code, respond });
      respond(outcome.kind === 'code' ? { status: 400, text: 'Issuer mismatch' } : outcome.response);
      return outcome.kind === 'failed' ? throwError(() => new AuthError(outcome.message)) : of();
    }),
    take(1),
    timeout({ first: limitMs, with: () => throwError(() => new AuthError('the login timed out; start it again')) }),
  );

/** Source: RFC 9207: a code of another server is not used. */
const isFrom = ({ issuer, namesItself }: Pick<Expected, 'issuer' | 'namesItself'>, url: string): boolean => {
  const named = new URL(url, 'http://localhost').searchParams.get('iss');
  return named === null ? !namesItself : withoutEndSlash(named) === withoutEndSlash(issuer);
};
