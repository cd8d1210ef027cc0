/** The client of the demonstration: a small MCP client, from lines to lines. */
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
import { decodeMessages } from '../../protocol/jsonrpc/decodeMessage';
import { encodeMessage } from '../../protocol/jsonrpc/encodeMessage';
import { METHOD_NOT_FOUND, type Notification, type Request, type Response } from '../../protocol/jsonrpc/messages';
import { request } from '../../protocol/rpc/request';
import { byKind } from '../../streams/ofKind';
import { initialized, toAnswer, toCodex, toInitialize, toListTools, toReply, toToolResult } from './messages';

type ClientDeps = {
  newId: () => number;
  /** Emits whether the person accepts a question. */
  approve: (question: Request) => Observable<boolean>;
  /** The folder that the agent works in. */
  cwd: string;
  version: string;
};

type Outgoing = Request | Notification | Response;

/**
 * Initializes, lists the tools, calls `codex`, answers the questions of the server meanwhile, and continues the thread by
 * `codex-reply`.
 * Emits lines. Completes after the last answer, or at the first that is an error.
 *   in  --I---L--Q----C---R|    (responses, Q the question)
 *   out i-(nl)c----y--r---|     (requests, n the ready notification, y the person's yes)
 */
export const demoClient =
  (deps: ClientDeps): OperatorFunction<string, string> =>
  (line$) =>
    line$.pipe(
      decodeMessages(),
      connect((message$) => {
        const [response$, question$] = byKind(message$, 'response', 'request');
        return story(deps, response$).pipe(
          connect((outgoing$) =>
            merge(outgoing$, question$.pipe(concatMap(answer(deps)), takeUntil(outgoing$.pipe(last(null, null))))),
          ),
        );
      }),
      map(encodeMessage),
    );

const story = ({ newId, cwd, version }: ClientDeps, response$: Observable<Response>): Observable<Outgoing> => {
  const askAny = request({ response$, newId });
  const ask = (
    question: (id: number) => Request,
    then: (answer: Response) => Observable<Outgoing>,
  ): Observable<Outgoing> =>
    askAny<Outgoing>(
      (id) => question(id as number),
      (response) => ('error' in response ? EMPTY : then(response)),
    );
  return ask(toInitialize(version), () =>
    concat(
      of(initialized),
      ask(toListTools, () =>
        ask(toCodex(cwd), (response) => {
          const result = toToolResult(response);
          return result ? ask(toReply(result.threadId), () => EMPTY) : EMPTY;
        }),
      ),
    ),
  );
};

const answer =
  ({ approve }: ClientDeps) =>
  (question: Request): Observable<Response> =>
    question.method === 'elicitation/create'
      ? approve(question).pipe(map((isYes) => toAnswer(question, isYes)))
      : of({
          kind: 'response',
          id: question.id,
          error: { code: METHOD_NOT_FOUND, message: `Method not found: ${question.method}` },
        });
