/** One request to a model over HTTP, from the key to the last event; a dialect builds its body and decodes the answer. */
import {
  catchError,
  concatMap,
  defer,
  type MonoTypeOperatorFunction,
  type Observable,
  type OperatorFunction,
  of,
  pipe,
  takeWhile,
  throwError,
} from 'rxjs';
import type { HttpPost, HttpResponse } from '../../io/http/httpRequest';
import type { ModelEvent } from '../../protocol/model/events';
import { type Model, ModelError } from '../../protocol/model/model';
import type { Provider } from '../../protocol/model/provider';
import type { ModelRequest } from '../../protocol/model/request';
import type { Backpressure } from '../../streams/backpressure';
import { gather } from '../../streams/gather';
import { firstWithin } from '../../streams/time/limits';
import { connectionFailure } from './connectionFailure';
import { type CredentialDeps, credentials, toRejectedText, usesLogin } from './credentials';
import { documentFailure, noAnswerFailure, type StatusTexts, statusFailure, streamFailure } from './failures';
import { idleTimeout } from './idleTimeout';
import { readBody } from './readBody';
import { redact, toHeaders, toUrl } from './request';
import { retryRequest } from './retryRequest';
import { secretsOf } from './secretsOf';
import { sse } from './sse';

/**
 * `now` in ms since 1970, for dates in Retry-After; `clockMs` since some moment, without jumps; `random` from 0 up to 1, for the backoff;
 * `statusTexts` is how refusals and silence are reported; the default is short.
 */
export type HttpDeps = CredentialDeps & {
  post: HttpPost;
  backpressure: Backpressure;
  now: () => number;
  clockMs: () => number;
  random: () => number;
  statusTexts?: StatusTexts;
};

/** What differs between APIs. `saysBusy`: a 500 is reported as high demand. */
export type Dialect = {
  path: string;
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

type Refusal = { now: () => number; saysBusy: boolean; secrets: Secrets; rejected: string; statusTexts?: StatusTexts };

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
 * Passes everything on; the message of a ModelError no longer contains a secret.
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

/** @param maxChars how much of a document is read; `toFailure` makes the error of a document from its text, `toBroken` that of a text that breaks off */
type RefuseDeps = { maxChars: number; toFailure: (text: string) => ModelError; toBroken: () => ModelError };

/** Before the first character, nothing is known; the text of a document is collected. */
type Reading = { kind: 'blank' } | { kind: 'stream' } | { kind: 'document'; text: string };

/** JSON and HTML begin like this; no line of an event stream does. */
const DOCUMENT = /^[\s\uFEFF]*[<{[]/;

/**
 * Passes the text of an event stream on. Errors with the failure of a document once it has ended or exceeds `maxChars`; any error of the source
 * becomes that of a text that breaks off.
 *   in  -d-d-|     in  -h-h-|     (d of events, h of HTML)
 *   out -d-d-|     out -----#
 */
export const refuseDocuments = ({ maxChars, toFailure, toBroken }: RefuseDeps): MonoTypeOperatorFunction<string> =>
  gather(() => {
    let reading: Reading = { kind: 'blank' };
    const refuse = (isOver: boolean): void => {
      if (reading.kind !== 'document') return;
      if (isOver || reading.text.length > maxChars) throw toFailure(reading.text.slice(0, maxChars));
    };
    return {
      next: (text, emit) => {
        reading = read(reading, text);
        if (reading.kind === 'stream') emit(text);
        else refuse(false);
      },
      end: () => refuse(true),
      fail: () => {
        throw toBroken();
      },
    };
  });

const read = (reading: Reading, text: string): Reading => {
  if (reading.kind === 'stream') return reading;
  if (reading.kind === 'document') return { kind: 'document', text: reading.text + text };
  if (text.trim() === '') return reading;
  return DOCUMENT.test(text) ? { kind: 'document', text } : { kind: 'stream' };
};
