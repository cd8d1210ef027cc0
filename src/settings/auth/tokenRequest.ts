/**
 * Requests to the server that issues tokens. Own code: the requests are those of the original, which its server knows; an OAuth client library would send
 * different ones.
 */
import { catchError, mergeMap, type Observable, throwError, timeout } from 'rxjs';
import type { HttpPost } from '../../io/http/httpRequest';
import { isObject } from '../../protocol/jsonrpc/json';
import { clip } from '../../streams/text/trim';
import { AuthError } from './authError';
import { readTokenResponse, type TokenResponse } from './readTokenResponse';

/** @param issuer the address of the server, without a trailing slash; never one that a call or a project chose */
export type IssuerDeps = { post: HttpPost; issuer: string; clientId: string };

/** Where OpenAI accounts log in, and with which client. Source: Codex 0.28.0, CORE 3.3. */
export const OPENAI_ISSUER = 'https://auth.openai.com';
/** The id of the Codex client at that issuer. */
export const CLIENT_ID = 'app_EMoamEEZ73f0CkXaXp7hrann';

/** `form`: as a form instead of JSON. */
export type TokenRequest = { path: string; body: Record<string, string>; form?: true };

/** Whether tokens may be sent to this address: it uses TLS, or leads to this machine. */
export const isIssuer = (address: string): boolean => {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && /^(?:localhost|127\.0\.0\.1)$/.test(hostname));
};

const LIMIT_MS = 60_000;

/** Sends one request, and emits its response. Errors with AuthError if there is none within 60 s. */
export const tokenRequest =
  ({ post, issuer }: IssuerDeps) =>
  ({ path, body, form }: TokenRequest): Observable<TokenResponse> => {
    const url = `${issuer}${path}`;
    const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
    const text = form ? new URLSearchParams(body).toString() : JSON.stringify(body);
    return post({ url, headers: { 'content-type': type, accept: 'application/json' }, body: text }).pipe(
      mergeMap(readTokenResponse),
      timeout(LIMIT_MS),
      catchError((error: Error) =>
        throwError(() => new AuthError(`${new URL(issuer).host} cannot be reached: ${error.message}`)),
      ),
    );
  };

/** What the server reports as the failure, in its own code and text; nothing else of its response. */
export const refusalOf = ({ status, statusText, json: { error, error_description: text } }: TokenResponse): string => {
  const code = isObject(error) ? (error.code ?? error.message) : error;
  const words = [code, text].filter((each) => typeof each === 'string').map((each) => clip(String(each), 200));
  return [`${status} ${statusText}`.trim(), ...words].join(', ');
};
