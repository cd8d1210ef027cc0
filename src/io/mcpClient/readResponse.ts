/** Reads the messages in the response to a request of an MCP client. */
import { concatMap, type Observable, type OperatorFunction, of } from 'rxjs';
import type { RequestId } from '../../protocol/jsonrpc/messages';
import type { HttpResponse } from '../http/httpRequest';
import { joinText, readEvents, type ServerSentEvent, toSingleLine } from '../mcpHttp/readEvents';

/** A part of a response. `challenge` is how the server wants to be authorized. */
export type ResponsePart =
  /** A line of the server, with the HTTP status if that is an error. */
  | { kind: 'line'; line: string; status?: number; eventId?: string; retryMs?: number; challenge?: string }

  /** An event that is not a message, such as `endpoint`. */
  | { kind: 'event'; event: ServerSentEvent }

  /** A response that failed without a message. `location` is the target of its redirect, `type` its content type if its status is not an error. */
  | { kind: 'failed'; status: number; location?: string; type?: string; challenge?: string }

  /** The response is over, and these requests have no answer; `cause` is the reason if the connection broke. */
  | { kind: 'unanswered'; requests: readonly RequestId[]; cause?: string };

const headerOf = ({ headers }: HttpResponse, name: string): string => `${headers[name] ?? ''}`;
const typeOf = (response: HttpResponse): string => headerOf(response, 'content-type');

/** Emits the parts of a response; completes and errors with its body. */
export const readResponse = (response: HttpResponse): Observable<ResponsePart> =>
  typeOf(response).includes('text/event-stream')
    ? response.body$.pipe(readEvents(), concatMap(toPart))
    : response.body$.pipe(asOnePart(response));

const toPart = (event: ServerSentEvent): ResponsePart[] => {
  const line = toSingleLine(event.data);
  const { event: name = 'message', id, retryMs } = event;
  if (line === undefined || name !== 'message') return [{ kind: 'event', event }];
  return [{ kind: 'line', line, ...(id !== undefined && { eventId: id }), ...(retryMs !== undefined && { retryMs }) }];
};

const asOnePart =
  (response: HttpResponse): OperatorFunction<string, ResponsePart> =>
  (text$) =>
    text$.pipe(
      joinText(),
      concatMap((body): Observable<ResponsePart> | ResponsePart[] => {
        const { status } = response;
        const line = typeOf(response).includes('json') ? toSingleLine(body) : undefined;
        if (status < 300 && line === undefined)
          return body.trim() === '' || status === 202 ? [] : of(toStranger(response));
        if (status < 300) return of({ kind: 'line', line: line as string });
        const isMessage = line?.startsWith('[') || line?.includes('"jsonrpc"') === true;
        return of(
          isMessage ? { kind: 'line', line: line as string, status, ...challengeOf(response) } : toFailed(response),
        );
      }),
    );

/** A body that is not a message, such as a web page. */
const toStranger = (response: HttpResponse): ResponsePart => ({
  kind: 'failed',
  status: response.status,
  type: typeOf(response) || 'a body of no type',
});

const toFailed = (response: HttpResponse): ResponsePart => {
  const location = headerOf(response, 'location');
  return { kind: 'failed', status: response.status, ...(location && { location }), ...challengeOf(response) };
};

const challengeOf = (response: HttpResponse): { challenge?: string } => {
  const challenge = headerOf(response, 'www-authenticate');
  return challenge === '' ? {} : { challenge };
};
