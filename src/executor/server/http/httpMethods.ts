/** The method http/request: a request sent from where the executor is. */
import {
  catchError,
  type MonoTypeOperatorFunction,
  map,
  materialize,
  type Observable,
  type ObservableNotification,
  scan,
  throwError,
  timeout,
  toArray,
} from 'rxjs';
import type { HttpCall, HttpFetch, HttpPart } from '../../../io/http/httpFetch';
import { HttpRequestParams } from '../../../protocol/exec/params';
import { INTERNAL_ERROR, INVALID_PARAMS, RpcError } from '../../../protocol/jsonrpc/messages';
import { toResult } from '../../../protocol/rpc/answerOnce';
import { flatten } from '../../../streams/gather';
import { inputFirst } from '../../../streams/time/limits';
import { type Method, method, notification, type Output, toBase64, toBytes, toWaitMs } from '../method';

export type HttpMethodsDeps = { fetch: HttpFetch };

/** One request: its body as a whole, or in numbered deltas after the head. Source: codex exec-server 0.142.0; `redirectPolicy`: 0.169.0. */
export const httpMethods = ({ fetch }: HttpMethodsDeps): Record<string, Method> => ({
  'http/request': method(HttpRequestParams, (params) => {
    const part$ = fetch(toCall(params));
    const { requestId, timeoutMs, streamResponse } = params;
    return streamResponse
      ? part$.pipe(within(timeoutMs), inDeltas(requestId))
      : part$.pipe(
          whole(),
          within(timeoutMs),
          catchError((error: Error) => throwError(() => toRequestError(error))),
        );
  }),
});

/** A body that is not streamed travels as one message. */
const MAX_BODY_BYTES = 268_435_456;

/** Errors if the first element has not arrived by then. */
const within =
  (ms: number | null | undefined) =>
  <T>(source$: Observable<T>): Observable<T> =>
    ms === undefined || ms === null ? source$ : source$.pipe(timeout({ first: toWaitMs(ms), scheduler: inputFirst }));

/** The whole response as one result. */
const whole =
  () =>
  (part$: Observable<HttpPart>): Observable<Output> =>
    part$.pipe(
      limitBody(),
      toArray(),
      map((parts) => {
        const [head] = parts.filter((part) => part.kind === 'head');
        const chunks = parts.flatMap((part) => (part.kind === 'chunk' ? [part.bytes] : []));
        return toResult({
          status: head?.status ?? 0,
          headers: head?.headers ?? [],
          bodyBase64: toBase64(Buffer.concat(chunks)),
        });
      }),
    );

/** Errors when the body is too long for one message. */
const limitBody = (): MonoTypeOperatorFunction<HttpPart> => (part$) =>
  part$.pipe(
    scan(
      ({ bytes }: { bytes: number; part?: HttpPart }, part) => {
        const now = bytes + (part.kind === 'chunk' ? part.bytes.length : 0);
        if (now > MAX_BODY_BYTES) throw new Error(`the body has more than ${MAX_BODY_BYTES} bytes; stream it`);
        return { bytes: now, part };
      },
      { bytes: 0 },
    ),
    map(({ part }) => part as HttpPart),
  );

/** The HTTP request of the params of http/request. */
type Params = {
  method: string;
  url: string;
  bodyBase64?: string | null;
  redirectPolicy?: 'follow' | 'stop' | null;
  headers?: { name: string; value: string }[] | null;
};

/** The characters of a method, and of the name of a header. Source: RFC 9110 5.6.2, `token`. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const invalid = (message: string): RpcError => new RpcError(INVALID_PARAMS, `http/request ${message}`);

/** Throws RpcError for what cannot be sent. */
export const toCall = ({ method, url, bodyBase64, redirectPolicy, headers }: Params): HttpCall => {
  if (!URL.canParse(url)) throw invalid(`URL is invalid: ${url}`);
  const scheme = new URL(url).protocol.slice(0, -1);
  if (scheme !== 'http' && scheme !== 'https') throw invalid(`only supports http and https URLs, got ${scheme}`);
  if (!TOKEN.test(method)) throw invalid(`method is invalid: ${method}`);
  const wrong = headers?.find(({ name, value }) => !TOKEN.test(name) || /[\0\r\n]/.test(value));
  if (wrong) throw invalid(`header is invalid: ${wrong.name}`);
  return {
    method,
    url,
    headers: headers ?? [],
    redirects: redirectPolicy ?? 'follow',
    ...(typeof bodyBase64 === 'string' && { body: toBytes(bodyBase64) }),
  };
};

/** The response to a request that could not be sent. */
const toRequestError = (error: Error): RpcError =>
  new RpcError(INTERNAL_ERROR, `http/request failed: ${error.message || error.name}`);

type State = {
  /** The number of the last delta; undefined before the head. */
  seq: number | undefined;
  output: Output[];
};

/**
 * The head is the result; each chunk is a delta, and so is the end, even if the body breaks. Errors before the head.
 *   in   --h-c-c-|      in   #        in   --h-#
 *   out  --R-d-d-(e|)   out  #        out  --R-(f|)   (R the result, d a delta, e the last one, f the last with an error)
 */
export const inDeltas =
  (requestId: string) =>
  (part$: Observable<HttpPart>): Observable<Output> =>
    part$.pipe(
      materialize(),
      scan((state: State, event) => next(state, event, requestId), { seq: undefined, output: [] }),
      map(({ output }) => output),
      flatten(),
    );

const next = ({ seq }: State, event: ObservableNotification<HttpPart>, requestId: string): State => {
  if (event.kind === 'N' && event.value.kind === 'head') {
    const { status, headers } = event.value;
    return { seq: 0, output: [toResult({ status, headers, bodyBase64: '' })] };
  }
  if (seq === undefined && event.kind === 'E') throw toRequestError(event.error as Error);
  const delta = {
    requestId,
    seq: (seq ?? 0) + 1,
    deltaBase64: event.kind === 'N' && event.value.kind === 'chunk' ? toBase64(event.value.bytes) : '',
    done: event.kind !== 'N',
    error: event.kind === 'E' ? (event.error as Error).message : null,
  };
  return { seq: delta.seq, output: [notification('http/request/bodyDelta', delta)] };
};
