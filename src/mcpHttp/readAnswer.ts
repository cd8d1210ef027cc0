/** Reads the messages out of the response to a request of an MCP client. */
import { concatMap, type Observable, type OperatorFunction, of } from 'rxjs';
import type { HttpAnswer } from '../transport';
import { joinText } from './joinText';
import { readEvents, type ServerSentEvent } from './readEvents';
import { toSingleLine } from './toSingleLine';

/**
 * A line of the server, with the HTTP status where it is an error; an event that is not a message, such as `endpoint`; or a response that failed
 * without a message.
 */
export type AnswerPart =
  | { kind: 'line'; line: string; status?: number; eventId?: string; retryMs?: number }
  | { kind: 'event'; event: ServerSentEvent }
  | { kind: 'failed'; status: number };

const typeOf = ({ headers }: HttpAnswer): string => `${headers['content-type'] ?? ''}`;

/** Emits the parts of a response; completes and errors with its body. */
export const readAnswer = (answer: HttpAnswer): Observable<AnswerPart> =>
  typeOf(answer).includes('text/event-stream')
    ? answer.body$.pipe(readEvents(), concatMap(toPart))
    : answer.body$.pipe(asOnePart(answer));

const toPart = (event: ServerSentEvent): AnswerPart[] => {
  const line = toSingleLine(event.data);
  const { event: name = 'message', id, retryMs } = event;
  if (line === undefined || name !== 'message') return [{ kind: 'event', event }];
  return [{ kind: 'line', line, ...(id !== undefined && { eventId: id }), ...(retryMs !== undefined && { retryMs }) }];
};

const asOnePart =
  (answer: HttpAnswer): OperatorFunction<string, AnswerPart> =>
  (text$) =>
    text$.pipe(
      joinText(),
      concatMap((body): Observable<AnswerPart> | AnswerPart[] => {
        const { status } = answer;
        const line = typeOf(answer).includes('json') ? toSingleLine(body) : undefined;
        const isMessage = line?.startsWith('[') || line?.includes('"jsonrpc"') === true;
        if (status < 400) return line === undefined ? [] : of({ kind: 'line', line });
        return of(line !== undefined && isMessage ? { kind: 'line', line, status } : { kind: 'failed', status });
      }),
    );
