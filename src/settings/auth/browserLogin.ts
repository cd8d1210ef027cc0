/** A login in the browser of this machine. */
import {
  concat,
  defer,
  type MonoTypeOperatorFunction,
  map,
  mergeMap,
  type Observable,
  of,
  takeWhile,
  tap,
  throwError,
} from 'rxjs';
import type { PrivateFiles } from '../../io/files/privateFiles';
import { failIfLate } from '../../streams/time/limits';
import { AuthError } from './authError';
import { type Claims, readAuthFile, toTokenFile } from './authFile';
import { type CallbackRequest, type CallbackResponse, readCallback } from './callback';
import {
  CLIENT_ID,
  type IssuerDeps,
  isToken,
  OPENAI_ISSUER,
  refusalOf,
  type TokenResponse,
  tokenRequest,
} from './tokenRequest';

/** A callback request that waits for `respond`. */
export type PendingCallback = { request: CallbackRequest; respond: (response: CallbackResponse) => void };

/** The server on loopback, for as long as it is subscribed: its port, and the requests to it. */
export type Listening = { port: number; callback$: Observable<PendingCallback> };

type BrowserLoginDeps = ExchangeDeps &
  ProofDeps & {
    /** Emits the server once, and closes it on unsubscription. Errors with AuthError if no port is free. */
    listen$: Observable<Listening>;
  };

/** What a login waits for, or that it is stored. */
export type LoginEvent =
  /** The person has to open `url`, within `limitMs`, and on another device to enter `userCode`. */
  { kind: 'waiting'; url: string; userCode?: string; limitMs: number } | { kind: 'loggedIn'; claims: Claims };

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
      failIfLate(LIMIT_MS, () => new AuthError('the login timed out; start it again')),
    );
  });

const exchange = (
  deps: BrowserLoginDeps,
  code: Parameters<ReturnType<typeof exchangeCode>>[0],
  respond: PendingCallback['respond'],
): Observable<LoginEvent> =>
  exchangeCode(deps)(code).pipe(
    shownInBrowser(respond),
    map((claims) => ({ kind: 'loggedIn', claims })),
  );

/** Shows the person how a login went: with the first value that it succeeded, with an error its message. */
export const shownInBrowser = <T>(respond: PendingCallback['respond']): MonoTypeOperatorFunction<T> =>
  tap({
    next: () => respond({ status: 200, text: 'You are logged in. You can close this page.' }),
    error: ({ message }: Error) => respond({ status: 500, text: message }),
  });

/** The secrets of one login; none is used twice. */
export type Proof = {
  state: string;
  verifier: string;
  /** The SHA-256 of `verifier`, base64url. */
  challenge: string;
};

/** How secrets are made. */
export type ProofDeps = {
  /** So many random bytes, base64url. */
  random: (bytes: number) => string;
  /** The hash of a text, base64url. */
  sha256: (text: string) => string;
};

/** Source: Codex 0.28.0, CORE 3.5: PKCE (RFC 7636) with S256. */
export const newProof = ({ random, sha256 }: ProofDeps): Proof => {
  const verifier = random(64);
  return { state: random(32), verifier, challenge: sha256(verifier) };
};

/** The address to which the server sends the browser back. */
export const redirectUri = (port: number): string => `http://localhost:${port}/auth/callback`;

/** The address of the login page. Source: Codex 0.28.0, CORE 3.5. */
export const authorizeUrl = (issuer: string, port: number, { state, challenge }: Proof): string => {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: redirectUri(port),
    scope: 'openid profile email offline_access',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    id_token_add_organizations: 'true',
    codex_cli_simplified_flow: 'true',
    state,
  });
  return `${issuer}/oauth/authorize?${query}`;
};

/** The issuer, and auth.json. */
export type ExchangeDeps = IssuerDeps & {
  files: Pick<PrivateFiles, 'replace'>;
  /** The path of auth.json. */
  path: string;
  /** In ms since 1970. */
  now: () => number;
};

/** A code that a login brought. */
type Code = {
  code: string;
  /** The address with which the code was requested. */
  redirectUri: string;
  /** The secret whose hash is the challenge. */
  verifier: string;
};

/** Emits who is logged in, once auth.json is written. Errors with AuthError. Source: Codex 0.28.0, CORE 3.5. */
export const exchangeCode =
  (deps: ExchangeDeps) =>
  ({ code, redirectUri, verifier }: Code): Observable<Claims> =>
    tokenRequest(deps)({
      path: '/oauth/token',
      form: true,
      body: {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        client_id: deps.clientId,
        code_verifier: verifier,
      },
    }).pipe(map((response) => store(deps, response)));

const store = ({ files, path, now, issuer }: ExchangeDeps, response: TokenResponse): Claims => {
  if (response.status !== 200) throw new AuthError(`Token exchange failed: ${refusalOf(response)}. Log in again.`);
  const { id_token, access_token, refresh_token } = response.json;
  const tokens = { idToken: String(id_token), accessToken: String(access_token), refreshToken: String(refresh_token) };
  const draft = readAuthFile(toTokenFile(tokens, now()));
  const isWhole = [id_token, access_token, refresh_token].every(isToken);
  if (draft?.tokens === undefined || !isWhole) {
    throw new AuthError('Token exchange failed: the response holds no usable tokens. Log in again.');
  }
  const { claims } = draft.tokens;
  const account = { ...tokens, ...(claims.accountId !== undefined && { accountId: claims.accountId }) };
  files.replace(path, toTokenFile(account, now(), issuer === OPENAI_ISSUER ? {} : { issuer }));
  return claims;
};
