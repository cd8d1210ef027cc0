/** One request to a model over HTTP, from the key to the last event; a dialect builds its body and decodes the answer. */
import { isDeepStrictEqual } from 'node:util';
import {
  catchError,
  concatMap,
  defer,
  type MonoTypeOperatorFunction,
  type Observable,
  type OperatorFunction,
  of,
  pipe,
  type SchedulerLike,
  takeWhile,
  throwError,
} from 'rxjs';
import type { HttpBody, HttpPost, HttpResponse } from '../../io/http/httpRequest';
import type { ModelEvent } from '../../protocol/model/events';
import { type Model, ModelError } from '../../protocol/model/model';
import type { Provider } from '../../protocol/model/provider';
import type { ModelRequest } from '../../protocol/model/request';
import type { Backpressure } from '../../streams/backpressure';
import { firstWithin } from '../../streams/time/limits';
import { type CredentialDeps, credentials, toRejectedText, usesLogin } from './credentials';
import { documentFailure, noAnswerFailure, streamFailure } from './failures';
import { idleTimeout, readBody, refuseDocuments, sse } from './readBody';
import { NOTHING_REFUSED, type Refusable, type Refused, refusedAfter } from './refused';
import { redact, requestBody, secretsOf, toHeaders, toUrl } from './request';
import { Conceded, retryRequest } from './retryRequest';
import { connectionFailure, type StatusDeps, type StatusTexts, statusFailure } from './statusFailure';

export type HttpDeps = CredentialDeps & {
  post: HttpPost<HttpBody>;
  /** Of the queue to the client: a slow client is not a silent server. */
  backpressure: Backpressure;
  /** Ms since 1970, for dates in Retry-After. */
  now: () => number;
  /** Time in ms, without jumps. */
  clockMs: () => number;
  /** From 0 up to 1, for the backoff. */
  random: () => number;
  /** When the making of a long body goes on: see `startsInTurns`. */
  starts: SchedulerLike;
  /** How refusals and silence are reported; short by default. */
  statusTexts?: StatusTexts;
};

/** What differs between APIs. */
type Dialect = {
  /** After the base URL of the provider. */
  path: string;
  /** A 500 is reported as high demand. */
  saysBusy: boolean;
  toOwnHeaders: (request: ModelRequest, provider: Provider) => Record<string, string>;
  /** The members of a request that a server may refuse. */
  refusable: Refusable;
  /** Without what the server has refused. */
  toBody: (request: ModelRequest, provider: Provider, refused: Refused) => object;
  /** The same, whose lists may be made item by item while it is written; `toBody` by default. */
  toSentBody?: (request: ModelRequest, provider: Provider, refused: Refused) => object;
  decode: () => OperatorFunction<readonly string[], ModelEvent>;
};

/** How much of an error's text is read, in UTF-16 units. */
const MAX_ERROR_CHARS = 65_536;

/**
 * Asks a model behind HTTP. A request without a usable response is sent again; a response that breaks off is not. What the server refuses of a request is
 * left out at once, and from the later requests of this model.
 * Emits events; completes after `completed`; errors with ModelError.
 */
export const askHttp =
  (deps: HttpDeps, dialect: Dialect) =>
  (provider: Provider): Model => {
    const sent = requestsTo(dialect, provider);
    return (request, limits) =>
      countRequests(deps.post, (post) => {
        const { streamIdleTimeoutMs: idleMs } = provider;
        const shown = deps.statusTexts === 'whole' ? { shownMs: idleMs } : {};
        const idle = { ...deps.backpressure, clockMs: deps.clockMs, idleMs, ...shown };
        const send = sendOnce({ ...deps, post }, sent, provider);
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
  };

/** The requests of a dialect to one server, which change as it refuses parts of them. */
type SentRequests = Pick<Dialect, 'path' | 'saysBusy' | 'toOwnHeaders'> & {
  toSentBody: (request: ModelRequest) => object;
  /** True if the request can be repeated without what the server has refused. */
  concede: (request: ModelRequest, refusal: { status: number; body: string }) => boolean;
};

const requestsTo = (dialect: Dialect, provider: Provider): SentRequests => {
  let refused = NOTHING_REFUSED; // so far, by this server
  const toBody = (request: ModelRequest) => dialect.toBody(request, provider, refused);
  return {
    ...dialect,
    toSentBody: (request) => (dialect.toSentBody ?? dialect.toBody)(request, provider, refused),
    concede: (request, refusal) => {
      const before = toBody(request);
      const next = refusedAfter({ refusable: dialect.refusable, tools: request.tools }, refused, refusal);
      refused = next ?? refused;
      return next !== undefined && !isDeepStrictEqual(toBody(request), before);
    },
  };
};

/** Sends a request with the current credential. Emits a response with a good status, and the secrets that it may quote. */
const sendOnce =
  (deps: HttpDeps, { path, saysBusy, toOwnHeaders, toSentBody, concede }: SentRequests, provider: Provider) =>
  (request: ModelRequest): Observable<UsableResponse> => {
    const credential = credentials(deps)(provider);
    const url = toUrl(provider, path, credential);
    const headers = toHeaders(deps.env, provider, { credential, own: toOwnHeaders(request, provider) });
    const secrets = secretsOf(deps.env, provider, credential);
    const asked = credential?.account === undefined ? request : ofAccount(request);
    const { streamIdleTimeoutMs: idleMs, connectTimeoutMs: connectMs } = provider;
    const { now, statusTexts } = deps;
    const rejected = toRejectedText(provider);
    const refusal = { url, now, saysBusy, secrets, rejected, ...(statusTexts && { statusTexts }) };
    const answered = firstWithin<HttpResponse>({
      ms: idleMs,
      toLate: () => noAnswerFailure(url, idleMs),
      toFailure: (reason) => connectionFailure(url, reason as Error),
    });
    return requestBody(deps.starts, () => toSentBody(asked)).pipe(
      concatMap((body) => deps.post({ url, headers, body, connectMs }).pipe(answered)),
      concatMap(refuseBadStatus(refusal, (response) => concede(asked, response))),
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
  (how: Refusal, concede: (refusal: { status: number; body: string }) => boolean) =>
  (response: HttpResponse): Observable<UsableResponse> => {
    const { status, body$ } = response;
    if (status >= 200 && status < 300) return of({ body$, secrets: how.secrets });
    const toFailure = (body: string) => statusFailure(response, redact(body, how.secrets), how);
    return body$.pipe(
      readBody(MAX_ERROR_CHARS),
      concatMap((body) => throwError(() => (concede({ status, body }) ? new Conceded() : toFailure(body)))),
    );
  };

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
export const countRequests = <T>(
  post: HttpPost<HttpBody>,
  answer: (post: HttpPost<HttpBody>) => Observable<T>,
): Observable<T> =>
  defer(() => {
    let requests = 0;
    const counted: HttpPost<HttpBody> = (request) =>
      defer(() => {
        requests += 1;
        return post(request);
      });
    return answer(counted).pipe(catchError((error: unknown) => throwError(() => withCount(error, requests))));
  });

const withCount = (error: unknown, requests: number): unknown =>
  error instanceof ModelError ? new ModelError(error.message, error.retryable, { ...error.tried, requests }) : error;
