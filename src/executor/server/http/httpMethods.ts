/** The method http/request: a request sent from where the executor is. */
import {
  catchError,
  type MonoTypeOperatorFunction,
  map,
  type Observable,
  scan,
  throwError,
  timeout,
  toArray,
} from 'rxjs';
import type { HttpFetch, HttpPart } from '../../../io/http/httpFetch';
import { HttpRequestParams } from '../../../protocol/exec/params';
import { toResult } from '../../../protocol/rpc/answerOnce';
import { toBase64 } from '../base64';
import { toWaitMs } from '../members';
import { type Method, method, type Output } from '../method';
import { inDeltas, toRequestError } from './bodyDeltas';
import { toCall } from './toCall';

export type HttpMethodsDeps = { fetch: HttpFetch };

/**
 * One request. Its result has the whole body, or the head at once, and the body follows in numbered deltas.
 * Source: codex exec-server 0.142.0; `redirectPolicy` is of 0.169.0.
 */
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

/** Errors when the first element has not come by then. */
const within =
  (ms: number | null | undefined) =>
  <T>(source$: Observable<T>): Observable<T> =>
    ms === undefined || ms === null ? source$ : source$.pipe(timeout({ first: toWaitMs(ms) }));

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
