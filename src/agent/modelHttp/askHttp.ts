/** One request to a model over HTTP, from the key to the last event; a dialect builds its body and decodes the answer. */
import {
  catchError,
  concatMap,
  defer,
  filter,
  type MonoTypeOperatorFunction,
  type Observable,
  type OperatorFunction,
  of,
  pipe,
  retry,
  takeWhile,
  throwError,
  throwIfEmpty,
  timer,
} from 'rxjs';
import type { HttpPost, HttpResponse } from '../../io/http/httpRequest';
import type { ModelEvent } from '../../protocol/model/events';
import { type Model, ModelError } from '../../protocol/model/model';
import type { Provider } from '../../protocol/model/provider';
import type { ModelRequest } from '../../protocol/model/request';
import type { Backpressure } from '../../streams/backpressure';
import { firstWithin } from '../../streams/time/limits';
import { backoffMs } from '../../streams/time/wait';
import { type CredentialDeps, credentials, toRejectedText, usesLogin } from './credentials';
import { documentFailure, FailedAttempt, noAnswerFailure, streamFailure, Unauthorized } from './failures';
import { idleTimeout, readBody, refuseDocuments, sse } from './readBody';
import { redact, secretsOf, toHeaders, toUrl } from './request';
import { connectionFailure, type StatusDeps, type StatusTexts, statusFailure } from './statusFailure';

export type HttpDeps = CredentialDeps & {
  post: HttpPost;
  /** Of the queue to the client: a slow client is not a silent server. */
  backpressure: Backpressure;
  /** Ms since 1970, for dates in Retry-After. */
  now: () => number;
  /** Time in ms, without jumps. */
  clockMs: () => number;
  /** From 0 up to 1, for the backoff. */
  random: () => number;
  /** How refusals and silence are reported; short by default. */
  statusTexts?: StatusTexts;
};

/** What differs between APIs. */
export type Dialect = {
  /** After the base URL of the provider. */
  path: string;
  /** A 500 is reported as high demand. */
  saysBusy: boolean;
  toOwnHeaders: (request: ModelRequest, provider: Provider) => Record<string, string>;
  toBody: (request: ModelRequest, provider: Provider) => string;
  decode: () => OperatorFunction<readonly string[], ModelEvent>;
};

/** How much of an error's text is read, in UTF-16 units. */
const MAX_ERROR_CHARS = 65_536;

/**
 * Asks a model behind HTTP. A request without a usable response is sent again; a response that breaks off is not.
 * Emits events; completes after `completed`; errors with ModelError.
 */
export const askHttp =
  (deps: HttpDeps, dialect: Dialect) =>
  (provider: Provider): Model =>
  (request, limits) =>
    countRequests(deps.post, (post) => {
      const { streamIdleTimeoutMs: idleMs } = provider;
      const shown = deps.statusTexts === 'whole' ? { shownMs: idleMs } : {};
      const idle = { ...deps.backpressure, clockMs: deps.clockMs, idleMs, ...shown };
      const send = sendOnce({ ...deps, post }, dialect, provider);
      const maxRequests = limits?.maxRequests ?? Number.POSITIVE_INFINITY;
      const sent$ = defer(() => send(request));
      const ready$ = usesLogin(provider) ? defer(deps.freshAuth).pipe(concatMap(() => sent$)) : sent$;
      return ready$.pipe(
        retryRequest({
          maxRetries: Math.min(provider.requestMaxRetries, maxRequests - 1),
          random: deps.random,
          refresh: () => deps.refreshAuth(provider),
        }),
        concatMap(({ body$, secrets }) =>
          body$.pipe(idleTimeout(idle, readData(secrets)), dialect.decode(), hideInErrors(secrets)),
        ),
        takeWhile(({ kind }) => kind !== 'completed', true), // lets the request go
      );
    });

/** Sends a request with the current credential. Emits a response with a good status, and the secrets that it may quote. */
const sendOnce =
  (deps: HttpDeps, dialect: Dialect, provider: Provider) =>
  (request: ModelRequest): Observable<UsableResponse> => {
    const credential = credentials(deps)(provider);
    const url = toUrl(provider, dialect.path, credential);
    const headers = toHeaders(deps.env, provider, { credential, own: dialect.toOwnHeaders(request, provider) });
    const secrets = secretsOf(deps.env, provider, credential);
    const body = dialect.toBody(credential?.account === undefined ? request : ofAccount(request), provider);
    const { streamIdleTimeoutMs: idleMs, connectTimeoutMs: connectMs } = provider;
    const { now, statusTexts } = deps;
    const rejected = toRejectedText(provider);
    const refusal = { now, saysBusy: dialect.saysBusy, secrets, rejected, ...(statusTexts && { statusTexts }) };
    return deps.post({ url, headers, body, connectMs }).pipe(
      firstWithin({
        ms: idleMs,
        toLate: () => noAnswerFailure(url, idleMs),
        toFailure: (reason) => connectionFailure(url, reason as Error),
      }),
      concatMap(refuseBadStatus(refusal)),
    );
  };

/** The server of ChatGPT accounts stores no responses, and refuses a limit of tokens. Source: Codex 0.28.0, CORE 4.1. */
const ofAccount = ({ maxOutputTokens: _, ...request }: ModelRequest): ModelRequest => ({ ...request, store: false });

type Secrets = ReturnType<typeof secretsOf>;
type UsableResponse = { body$: Observable<string>; secrets: Secrets };

const readData = (secrets: Secrets): OperatorFunction<string, readonly string[]> =>
  pipe(
    refuseDocuments({
      maxChars: MAX_ERROR_CHARS,
      toFailure: (text) => documentFailure(redact(text, secrets)),
      toBroken: broken,
    }),
    sse(),
  );

const broken = (): ModelError => streamFailure('Transport error: error decoding response body');

type Refusal = StatusDeps & { secrets: Secrets };

const refuseBadStatus =
  (how: Refusal) =>
  (response: HttpResponse): Observable<UsableResponse> =>
    response.status >= 200 && response.status < 300
      ? of({ body$: response.body$, secrets: how.secrets })
      : response.body$.pipe(
          readBody(MAX_ERROR_CHARS),
          concatMap((body) => throwError(() => statusFailure(response, redact(body, how.secrets), how))),
        );

/**
 * Removes secrets from the message of a ModelError; passes everything else on.
 *   in   -e-#
 *   out  -e-#   (with *** for each secret)
 */
export const hideInErrors = <T>(secrets: (string | undefined)[]): MonoTypeOperatorFunction<T> =>
  catchError((error) => throwError(() => (error instanceof ModelError ? hidden(error, secrets) : error)));

const hidden = ({ message, retryable, tried }: ModelError, secrets: (string | undefined)[]): ModelError =>
  new ModelError(redact(message, secrets), retryable, tried);

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

/** Repeats a request that got no usable response: after a growing pause, or with another credential. */
const LONGEST_WAIT_MS = 60_000;

type RetryDeps = {
  /** After the first attempt, not counting attempts with another credential. */
  maxRetries: number;
  random: () => number;
  /** Emits whether there is another credential, and completes; never errors. */
  refresh: () => Observable<boolean>;
};

/**
 * Subscribes again after a FailedAttempt, and once after an Unauthorized if `refresh` finds another credential, which the source then reads.
 * Emits what the attempts emit; errors with `finalError` of the last attempt, or with any other error at once.
 *   in  -x      (FailedAttempt), then -a|      in       -u        (Unauthorized), then -a|
 *   out - 200ms -a|                            refresh   --y|
 *                                              out      ----a|
 * Source: Codex 0.28.0, cases mh04 to mh16; the cap of 60 s is ours.
 */
export const retryRequest =
  <T>({ maxRetries, random, refresh }: RetryDeps): MonoTypeOperatorFunction<T> =>
  (response$) =>
    defer(() => {
      let failures = 0;
      let isRefreshed = false; // since the last failure
      const delay = (error: unknown): Observable<unknown> => {
        if (error instanceof Unauthorized) {
          if (isRefreshed) return throwError(() => error.finalError);
          isRefreshed = true;
          return renewed(refresh(), error);
        }
        if (!(error instanceof FailedAttempt)) return throwError(() => error);
        isRefreshed = false;
        failures += 1;
        if (failures > maxRetries) return throwError(() => error.finalError);
        return timer(Math.min(error.waitMs ?? backoffMs(failures, random), LONGEST_WAIT_MS));
      };
      return response$.pipe(retry({ delay }));
    });

const renewed = (isNew$: Observable<boolean>, { finalError }: Unauthorized): Observable<boolean> =>
  isNew$.pipe(
    filter((isNew) => isNew),
    throwIfEmpty(() => finalError),
  );
