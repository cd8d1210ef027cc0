/** A small MCP client that calls tools, from lines to lines. */
import {
  concat,
  concatMap,
  connect,
  EMPTY,
  last,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  of,
  takeUntil,
} from 'rxjs';
import type { ServerEvent } from '../../io/serverProcess/serverProcess';
import { decodeMessages } from '../../protocol/jsonrpc/decodeMessage';
import { encodeMessage } from '../../protocol/jsonrpc/encodeMessage';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { METHOD_NOT_FOUND, type Notification, type Request, type Response } from '../../protocol/jsonrpc/messages';
import { request } from '../../protocol/rpc/request';
import { byKind, ofKind } from '../../streams/ofKind';
import {
  type Call,
  initialized,
  type ToolResult,
  toInitialize,
  toListTools,
  toToolCall,
  toToolResult,
} from './messages';

type ClientDeps = {
  newId: () => number;
  name: string;
  version: string;
  /** Emits the result of a question; absent if nobody can be asked. */
  answer?: (question: Request) => Observable<JsonObject>;
  /** The calls, each made with the result of the call before; that of the first is empty. */
  calls: readonly ((before: ToolResult) => Call)[];
};

type Outgoing = Request | Notification | Response;

/**
 * Initializes, lists the tools, makes its calls one after another, and answers the questions of the server meanwhile.
 * Emits lines. Completes after the last answer, or at the first that is an error.
 *   in  --I---L--Q----C---R|    (responses, Q the question)
 *   out i-(nl)c----y--r---|     (requests, n the ready notification, y the person's yes)
 */
export const toolClient =
  (deps: ClientDeps): OperatorFunction<string, string> =>
  (line$) =>
    line$.pipe(
      decodeMessages(),
      connect((message$) => {
        const [response$, question$] = byKind(message$, 'response', 'request');
        return story(deps, response$).pipe(
          connect((outgoing$) =>
            merge(outgoing$, question$.pipe(concatMap(answerTo(deps)), takeUntil(outgoing$.pipe(last(null, null))))),
          ),
        );
      }),
      map(encodeMessage),
    );

const NOTHING: ToolResult = { threadId: '', content: '', text: '' };

const story = (
  { newId, name, version, answer, calls }: ClientDeps,
  response$: Observable<Response>,
): Observable<Outgoing> => {
  const askAny = request({ response$, newId });
  const ask = (
    question: (id: number) => Request,
    then: (answer: Response) => Observable<Outgoing>,
  ): Observable<Outgoing> =>
    askAny<Outgoing>(
      (id) => question(id as number),
      (response) => ('error' in response ? EMPTY : then(response)),
    );
  const callAll = ([next, ...others]: ClientDeps['calls'], before: ToolResult): Observable<Outgoing> =>
    next === undefined
      ? EMPTY
      : ask(toToolCall(next(before)), (response) => {
          const result = toToolResult(response);
          return result ? callAll(others, result) : EMPTY;
        });
  const capabilities = answer === undefined ? {} : { elicitation: {} };
  return ask(toInitialize({ name, version }, capabilities), () =>
    concat(
      of(initialized),
      ask(toListTools, () => callAll(calls, NOTHING)),
    ),
  );
};

const answerTo =
  ({ answer }: ClientDeps) =>
  ({ id, ...question }: Request): Observable<Response> =>
    question.method === 'elicitation/create' && answer !== undefined
      ? answer({ id, ...question }).pipe(map((result) => ({ kind: 'response', id, result })))
      : of({
          kind: 'response',
          id,
          error: { code: METHOD_NOT_FOUND, message: `Method not found: ${question.method}` },
        });

/** A client of lines, as it reads the events of a server process. */
export const readingLines =
  (client: OperatorFunction<string, string>): OperatorFunction<ServerEvent, string> =>
  (event$) =>
    event$.pipe(
      ofKind('line'),
      map(({ line }) => line),
      client,
    );
