/** A server behind a URL, asked by whole HTTP requests: each line of the client is an exchange, each line of the server its answer. */
import {
  catchError,
  concat,
  concatMap,
  filter,
  map,
  type Observable,
  of,
  reduce,
  take,
  takeUntil,
  takeWhile,
  timer,
} from 'rxjs';
import type { HttpPost, HttpResponse } from '../../io/http/httpRequest';
import { readResponse } from '../../io/mcpClient/readResponse';
import { parseObject, toObject } from '../../protocol/jsonrpc/json';
import { ofKind } from '../../streams/ofKind';
import { reasonOf } from '../../streams/text/reasons';
import { inputFirst } from '../../streams/time/limits';
import type { SignalledServer } from '../../tapes/sessions/playSession';

/** A request as a case writes it. */
export type Exchange = {
  /** Its letter, which its answer has too. */
  letter?: string;
  /** Default: POST. */
  verb?: 'GET' | 'DELETE';
  /** Names in lower case; undefined and empty headers are left out. */
  headers: Readonly<Record<string, string | undefined>>;
  /** A message, or a text that is none. */
  body?: object | string;
};

/** The answer to an exchange. */
export type Exchanged = {
  /** Of the request. */
  letter?: string;
  /** The HTTP status; 0 if there is no response. */
  status: number;
  /** The content type, without its parameters. */
  type: string;
  /** The header Mcp-Session-Id; empty if there is none. */
  session: string;
  /** The messages in the body, up to the response. */
  messages: readonly unknown[];
  /** Why there is no response. */
  trouble?: string;
};

type ExchangeDeps = {
  send: HttpPost;
  url: string;
  /** How long a body may take, in ms. */
  bodyMs: number;
};

/**
 * Sends one request after another. It gets no signals.
 *   in   a---b---|    (a, b exchanges)
 *   out  --A---B-|    (A, B their answers)
 */
export const httpExchanges =
  (deps: ExchangeDeps): SignalledServer =>
  () =>
  (line$) =>
    concat(
      line$.pipe(
        concatMap((line) => exchange(deps, (parseObject(line) ?? {}) as Exchange)),
        map((answer) => ({ kind: 'line' as const, line: JSON.stringify(answer) })),
      ),
      of({ kind: 'ended' as const, trouble: '', exitCode: 0 }),
    );

const exchange = (deps: ExchangeDeps, { letter, verb, headers, body }: Exchange): Observable<Exchanged> => {
  const { send, url, bodyMs } = deps;
  const given = Object.entries(headers).filter(([, value]) => value !== undefined && value !== '');
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  const request = { url, headers: Object.fromEntries(given) as Record<string, string>, body: text };
  return send({ ...request, ...(verb !== undefined && { method: verb }) }).pipe(
    concatMap((response) => readMessages(response, verb === 'GET' ? 0 : bodyMs)),
    take(1),
    map((answer) => ({ ...answer, letter })),
    catchError((error: unknown) =>
      of({ letter, status: 0, type: '', session: '', messages: [], trouble: reasonOf(error) } satisfies Exchanged),
    ),
  );
};

/** The messages of a body: of a stream those up to the response, as a stream may stay open. */
const readMessages = (response: HttpResponse, bodyMs: number): Observable<Exchanged> =>
  readResponse(response).pipe(
    takeUntil(timer(bodyMs, inputFirst)),
    ofKind('line'),
    map(({ line }): unknown => JSON.parse(line)),
    takeWhile((message) => 'method' in toObject(message), true),
    filter((message) => message !== undefined),
    reduce<unknown, unknown[]>((all, message) => [...all, message], []),
    map((messages) => ({
      status: response.status,
      type: headerOf(response, 'content-type').split(';')[0]?.trim() ?? '',
      session: headerOf(response, 'mcp-session-id'),
      messages,
    })),
  );

const headerOf = ({ headers }: HttpResponse, name: string): string => `${headers[name] ?? ''}`;
