/** A login in the browser of this machine. */
import { catchError, concat, defer, map, mergeMap, type Observable, of, takeWhile, throwError, timeout } from 'rxjs';
import { AuthError } from './authError';
import { authorizeUrl, newProof, type Proof, type ProofDeps, redirectUri } from './authorization';
import { type CallbackRequest, type CallbackResponse, readCallback } from './callback';
import type { Claims } from './claims';
import { type ExchangeDeps, exchangeCode } from './exchangeCode';

/** A callback request that waits for `respond`. */
export type PendingCallback = { request: CallbackRequest; respond: (response: CallbackResponse) => void };

/** The server on loopback, for as long as it is subscribed: its port, and the requests to it. */
export type Listening = { port: number; callback$: Observable<PendingCallback> };

/** @param listen$ emits the server once, and closes it on unsubscription; errors with AuthError if no port is free */
export type BrowserLoginDeps = ExchangeDeps & ProofDeps & { listen$: Observable<Listening> };

/** `waiting`: the person is to open `url`, within `limitMs`. `loggedIn`: the login is stored. */
export type LoginEvent =
  | { kind: 'waiting'; url: string; userCode?: string; limitMs: number }
  | { kind: 'loggedIn'; claims: Claims };

/** Source: Codex 0.28.0, CORE 3.5. */
const LIMIT_MS = 600_000;

/**
 * Emits where to log in, then that it is done, and completes. Errors with AuthError: declined, cancelled, timed out.
 * Unsubscribing cancels the login and frees the port.
 *   callback$  ----c          (c the callback with the code)
 *   out     w----(L|)      (w waiting, L logged in, after the exchange)
 */
export const browserLogin = (deps: BrowserLoginDeps): Observable<LoginEvent> =>
  deps.listen$.pipe(
    mergeMap((listening) =>
      defer(() => {
        const proof = newProof(deps);
        const url = authorizeUrl(deps.issuer, listening.port, proof);
        return concat(of<LoginEvent>({ kind: 'waiting', url, limitMs: LIMIT_MS }), receive(deps, listening, proof));
      }),
    ),
    takeWhile(({ kind }) => kind !== 'loggedIn', true),
  );

const receive = (deps: BrowserLoginDeps, { port, callback$ }: Listening, proof: Proof): Observable<LoginEvent> =>
  defer(() => {
    let isUsed = false; // set by the first callback that brings a code
    return callback$.pipe(
      mergeMap(({ request, respond }): Observable<LoginEvent> => {
        const outcome = readCallback({ port, state: proof.state, isUsed }, request);
        if (outcome.kind === 'code') {
          isUsed = true;
          return exchange(
            deps,
            { code: outcome.code, redirectUri: redirectUri(port), verifier: proof.verifier },
            respond,
          );
        }
        respond(outcome.response);
        return outcome.kind === 'failed' ? throwError(() => new AuthError(outcome.message)) : of();
      }),
      timeout({ first: LIMIT_MS, with: () => throwError(() => new AuthError('the login timed out; start it again')) }),
    );
  });

const exchange = (
  deps: BrowserLoginDeps,
  code: Parameters<ReturnType<typeof exchangeCode>>[0],
  respond: PendingCallback['respond'],
): Observable<LoginEvent> =>
  exchangeCode(deps)(code).pipe(
    map((claims): LoginEvent => {
      respond({ status: 200, text: 'You are logged in. You can close this page.' });
      return { kind: 'loggedIn', claims };
    }),
    catchError((error: Error) => {
      respond({ status: 500, text: error.message });
      return throwError(() => error);
    }),
  );
