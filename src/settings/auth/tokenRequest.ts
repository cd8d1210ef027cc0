/** Requests of an OAuth client to its server. Own code: requests to OpenAI are as in the original; a library would send different ones. */
import {
  catchError,
  defaultIfEmpty,
  map,
  mergeMap,
  type Observable,
  scan,
  takeLast,
  takeWhile,
  throwError,
  timeout,
} from 'rxjs';
import type { HttpPost, HttpResponse } from '../../io/http/httpRequest';
import { isObject, type JsonObject, parseObject } from '../../protocol/jsonrpc/json';
import { clip } from '../../streams/text/trim';
import { inputFirst } from '../../streams/time/limits';
import { AuthError } from './authError';

/** Where OpenAI accounts log in, and with which client. Source: Codex 0.28.0, CORE 3.3. */
export const OPENAI_ISSUER = 'https://auth.openai.com';
/** The id of the Codex client at that issuer. */
export const CLIENT_ID = 'app_EMoamEEZ73f0CkXaXp7hrann';

/** The server of a login at OpenAI. */
export type IssuerDeps = {
  post: HttpPost;
  /** The address of the server, without a trailing slash; never an address that a call or a project chose. */
  issuer: string;
  clientId: string;
};

/** A request to the issuer. */
export type TokenRequest = {
  path: string;
  body: Record<string, string>;
  /** Sends the body as a form. Default: as JSON. */
  form?: true;
};

const ISSUER_LIMIT_MS = 60_000;

/** Sends one request to the issuer, and emits its response. Errors with AuthError if there is none within 60 s. */
export const tokenRequest =
  ({ post, issuer }: IssuerDeps) =>
  ({ path, body, form }: TokenRequest): Observable<TokenResponse> =>
    requestJson(post)({
      url: `${issuer}${path}`,
      ...(form ? { form: body } : { json: body }),
      limitMs: ISSUER_LIMIT_MS,
    });

/** A POST with a form or JSON; a GET without both. */
type JsonRequest = {
  url: string;
  form?: Record<string, string>;
  json?: JsonObject;
  /** How long the connection, and the whole request, may take. Default: 30 s. */
  limitMs?: number;
};

const LIMIT_MS = 30_000;

/** Emits the response, whatever its status. Errors with AuthError if there is none in time. Redirects are not followed. */
export const requestJson =
  (send: HttpPost) =>
  ({ url, form, json, limitMs = LIMIT_MS }: JsonRequest): Observable<TokenResponse> =>
    send({ url, connectMs: limitMs, ...contentOf(form, json) }).pipe(
      mergeMap(readTokenResponse),
      timeout(limitMs, inputFirst),
      catchError((error: Error) =>
        throwError(() => new AuthError(`${new URL(url).host} cannot be reached: ${error.message}`)),
      ),
    );

const contentOf = (form: JsonRequest['form'], json: JsonRequest['json']) => {
  const headers = { accept: 'application/json' };
  if (form !== undefined)
    return { headers: { ...headers, 'content-type': FORM }, body: `${new URLSearchParams(form)}` };
  if (json === undefined) return { headers, body: '', method: 'GET' as const };
  return { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(json) };
};

const FORM = 'application/x-www-form-urlencoded';

/** A response. */
export type TokenResponse = {
  status: number;
  statusText: string;
  /** Empty if the body is not a JSON object. */
  json: JsonObject;
};

/** Far longer than any such response; a longer one, which may never end, is not read any further. */
const MAX_CHARS = 1_048_576;

/**
 * Emits the response once it is complete, with an empty object if it is not JSON or too long; errors with its body.
 *   body  -{--}|
 *   out   -----(r|)
 */
const readTokenResponse = ({ status, statusText, body$ }: HttpResponse): Observable<TokenResponse> =>
  body$.pipe(
    scan((all, part) => all + part, ''),
    takeWhile((all) => all.length <= MAX_CHARS, true),
    takeLast(1),
    defaultIfEmpty(''),
    map((text) => ({ status, statusText, json: (text.length <= MAX_CHARS && parseObject(text)) || {} })),
  );

/** The failure that the server reports, in its own code and text; nothing else of its response. */
export const refusalOf = ({ status, statusText, json: { error, error_description: text } }: TokenResponse): string => {
  const code = isObject(error) ? (error.code ?? error.message) : error;
  const words = [code, text].filter((each) => typeof each === 'string').map((each) => clip(String(each), 200));
  return [`${status} ${statusText}`.trim(), ...words].join(', ');
};

/** Whether a value can be sent as a token: printable ASCII characters, so that it is one header and nothing else. Source: RFC 6749 A.12, A.17. */
export const isToken = (value: unknown): value is string => typeof value === 'string' && /^[\x20-\x7e]+$/.test(value);

/** Whether tokens may be sent to this address: it uses TLS, or leads to this machine. */
export const isIssuer = (address: string): boolean => {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && /^(?:localhost|127\.0\.0\.1)$/.test(hostname));
};
