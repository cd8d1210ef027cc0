/** One request of an OAuth client, and its response in JSON. */
import { catchError, mergeMap, type Observable, throwError, timeout } from 'rxjs';
import type { HttpPost } from '../../io/http/httpRequest';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { AuthError } from '../auth/authError';
import { readTokenResponse, type TokenResponse } from '../auth/readTokenResponse';

/** A GET, or a POST with a form or JSON. */
export type JsonRequest = { url: string; form?: Record<string, string>; json?: JsonObject };

const LIMIT_MS = 30_000;

/** Emits the response, whatever its status. Errors with AuthError if there is none within 30 s. Redirects are not followed. */
export const requestJson =
  (send: HttpPost) =>
  ({ url, form, json }: JsonRequest): Observable<TokenResponse> => {
    const headers = { accept: 'application/json' };
    const request =
      form !== undefined
        ? { headers: { ...headers, 'content-type': FORM }, body: new URLSearchParams(form).toString() }
        : json !== undefined
          ? { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(json) }
          : { headers, body: '', method: 'GET' as const };
    return send({ url, connectMs: LIMIT_MS, ...request }).pipe(
      mergeMap(readTokenResponse),
      timeout(LIMIT_MS),
      catchError((error: Error) =>
        throwError(() => new AuthError(`${new URL(url).host} cannot be reached: ${error.message}`)),
      ),
    );
  };

const FORM = 'application/x-www-form-urlencoded';
