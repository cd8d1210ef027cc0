/** Sends a request without a token, to get the server's challenge. */
import { catchError, map, type Observable, take, throwError, timeout } from 'rxjs';
import type { HttpPost } from '../../io/http/httpRequest';
import { AuthError } from '../auth/authError';
import { type Challenge, readChallenge } from './challenge';

/** A server that accepts a connection may never respond. */
const ANSWER_MS = 30_000;

/** Emits once what the server requires of a client without a token. Errors with AuthError if it cannot be reached or is silent for 30 s. */
export const challengeOf = (send: HttpPost, url: string): Observable<Challenge> => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return send({ url, headers, body: PING, connectMs: ANSWER_MS }).pipe(
    timeout({ first: ANSWER_MS, with: () => throwError(() => new Error(`no response within ${ANSWER_MS / 1000} s`)) }),
    take(1),
    map(({ headers: { 'www-authenticate': header } }) => readChallenge(`${header ?? ''}`)),
    catchError((error: Error) =>
      throwError(() => new AuthError(`${new URL(url).host} cannot be reached: ${error.message}`)),
    ),
  );
};

const PING = '{"jsonrpc":"2.0","id":0,"method":"ping"}';
