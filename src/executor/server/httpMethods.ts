/** Owns the method http/request: a request sent from where the executor is. */
import { catchError, concatMap, map, materialize, type Observable, reduce, scan, throwError, timeout } from 'rxjs';
import { INTERNAL_ERROR, INVALID_PARAMS, isObject, type JsonObject, RpcError } from '../../protocol/jsonrpc';
import type { HttpCall, HttpFetch, HttpHeader, HttpPart } from '../../transport';
import { answer, type Method, type Said, tell } from './execMethod';
import { bytes, fieldsOf, optionalFlag, optionalMillis, optionalText, optionalWord, text } from './params';

export type HttpMethodsDeps = { fetch: HttpFetch };

/**
 * One request. Answered with the whole body, or with the head at once and the body in numbered deltas.
 * Source: codex exec-server 0.142.0; `redirectPolicy` is of 0.169.0.
 */
export const httpMethods = ({ fetch }: HttpMethodsDeps): Record<string, Method> => ({
  'http/request': (params) => {
    const fields = fieldsOf(params);
    const call = readCall(fields);
    const requestId = text(fields, 'requestId');
    const timeoutMs = optionalMillis(fields, 'timeoutMs');
    const streamed = optionalFlag(fields, 'streamResponse') ?? false;
    return streamed
      ? fetch(call).pipe(within(timeoutMs), inDeltas(requestId))
      : fetch(call).pipe(
          whole(),
          within(timeoutMs),
          catchError((error: Error) => throwError(() => toRpcError(error))),
        );
  },
});

const readCall = (fields: JsonObject): HttpCall => {
  const method = text(fields, 'method');
  const url = text(fields, 'url');
  if (!URL.canParse(url)) throw new RpcError(INVALID_PARAMS, `http/request URL is invalid: ${url}`);
  const scheme = new URL(url).protocol.slice(0, -1);
  if (scheme !== 'http' && scheme !== 'https') {
    throw new RpcError(INVALID_PARAMS, `http/request only supports http and https URLs, got ${scheme}`);
  }
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(method)) {
    throw new RpcError(INVALID_PARAMS, `http/request method is invalid: ${method}`);
  }
  const body = optionalText(fields, 'bodyBase64') === undefined ? undefined : bytes(fields, 'bodyBase64');
  const redirects = optionalWord(fields, 'redirectPolicy', ['follow', 'stop']) ?? 'follow';
  return { method, url, headers: readHeaders(fields.headers), redirects, ...(body && { body }) };
};

const readHeaders = (headers: unknown): HttpHeader[] => {
  if (headers === undefined || headers === null) return [];
  if (!Array.isArray(headers)) throw new RpcError(INVALID_PARAMS, 'invalid type: headers, expected a sequence');
  return headers.map((header) => {
    const fields = fieldsOf(isObject(header) ? header : undefined);
    const [name, value] = [text(fields, 'name'), text(fields, 'value')];
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || /[\0\r\n]/.test(value)) {
      throw new RpcError(INVALID_PARAMS, `http/request header is invalid: ${name}`);
    }
    return { name, value };
  });
};

const toRpcError = (error: Error): RpcError =>
  new RpcError(INTERNAL_ERROR, `http/request failed: ${error.message || error.name}`);

const toBase64 = (parts: readonly Uint8Array[]): string => Buffer.concat(parts).toString('base64');

/** An answer that is told whole travels as one message. */
const MAX_BODY_BYTES = 268_435_456;

/** The first of it must be there by then. */
const within =
  (ms: number | undefined) =>
  <T>(source$: Observable<T>): Observable<T> =>
    ms === undefined ? source$ : source$.pipe(timeout({ first: ms }));

type Whole = { status: number; headers: HttpHeader[]; parts: Uint8Array[]; bytes: number };

const whole =
  () =>
  (part$: Observable<HttpPart>): Observable<Said> =>
    part$.pipe(
      reduce(
        (all: Whole, part): Whole => {
          if (part.kind === 'head') return { ...all, status: part.status, headers: part.headers };
          const bytes = all.bytes + part.bytes.length;
          if (bytes > MAX_BODY_BYTES) throw new Error(`the body has more than ${MAX_BODY_BYTES} bytes; stream it`);
          all.parts.push(part.bytes);
          return { ...all, bytes };
        },
        { status: 0, headers: [], parts: [], bytes: 0 },
      ),
      map(({ status, headers, parts }) => answer({ status, headers, bodyBase64: toBase64(parts) })),
    );

type Step = { head?: true; said: Said[]; seq: number };

/** A failure before the head is the answer's, one after it the last delta's. */
const inDeltas =
  (requestId: string) =>
  (part$: Observable<HttpPart>): Observable<Said> =>
    part$.pipe(
      materialize(),
      scan(
        (at: Step, event): Step => {
          if (event.kind === 'E' && !at.head) throw toRpcError(event.error as Error);
          if (event.kind === 'N' && event.value.kind === 'head') {
            const { status, headers } = event.value;
            return { head: true, said: [answer({ status, headers, bodyBase64: '' })], seq: 0 };
          }
          const seq = at.seq + 1;
          const deltaBase64 = event.kind === 'N' && event.value.kind === 'chunk' ? toBase64([event.value.bytes]) : '';
          const error = event.kind === 'E' ? (event.error as Error).message : null;
          const delta = { requestId, seq, deltaBase64, done: event.kind !== 'N', error };
          return { head: true, said: [tell('http/request/bodyDelta', delta)], seq };
        },
        { said: [], seq: 0 },
      ),
      concatMap(({ said }) => said),
    );
