/** Opens an event stream again that ended before all of it came. */
import {
  catchError,
  concat,
  defer,
  EMPTY,
  mergeMap,
  type Observable,
  type OperatorFunction,
  repeat,
  tap,
  timer,
} from 'rxjs';
import { idKey, type RequestId } from '../protocol/jsonrpc';
import { parseLine } from '../session';
import type { HttpAnswer } from '../transport';
import { type AnswerPart, readAnswer } from './readAnswer';

/**
 * `get` asks for what came after an event. `requests` are the ids of the requests that the stream answers; it ends with the last response. Without
 * them it is the stream of a session, which is opened again whenever it ends.
 */
export type ResumeDeps = { get: (lastEventId?: string) => Observable<HttpAnswer>; requests?: readonly RequestId[] };

const RETRY_MS = 1_000;
/** The shortest and the longest wait, whatever time the server names. */
const MIN_RETRY_MS = 100;
const MAX_RETRY_MS = 60_000;

/**
 * Passes the parts of a response. Where it breaks or ends early, and its events have ids, it goes on in a new request, after the time
 * that the server named. Completes when all requests are answered, or when the server has no more; `unanswered` comes last then.
 *   in   -ab#           (a, b events)
 *   out  -ab-----cd|    (c, d of the new request)
 */
export const resumed =
  ({ get, requests }: ResumeDeps): OperatorFunction<AnswerPart, AnswerPart> =>
  (part$) =>
    defer(() => {
      const course = courseOf(requests);
      const again = () =>
        get(course.lastEventId()).pipe(
          mergeMap((answer) => (answer.status < 300 ? untilBroken(readAnswer(answer)) : course.refused())),
        );
      const untilBroken = catchError<AnswerPart, typeof EMPTY>(course.broken);
      const all$ = defer(() => (course.isFirst() ? untilBroken(part$) : again())).pipe(
        tap(course.note),
        repeat({ delay: () => (course.isOver() ? EMPTY : timer(course.waitMs())) }),
      );
      return concat(all$, defer(course.unanswered));
    });

/** What is known of a stream that goes on in one request after another. */
const courseOf = (requests: readonly RequestId[] | undefined) => {
  let left = requests;
  let lastEventId: string | undefined;
  let retryMs = RETRY_MS;
  let rounds = 0;
  let isRefused = false;
  let cause: string | undefined; // why the last connection broke
  return {
    isFirst: () => rounds++ === 0,
    lastEventId: () => lastEventId,
    waitMs: () => Math.max(MIN_RETRY_MS, Math.min(retryMs, MAX_RETRY_MS)),
    isOver: () => isRefused || (left !== undefined && (left.length === 0 || lastEventId === undefined)),
    refused: () => {
      isRefused = true;
      return EMPTY;
    },
    broken: ({ message }: Error) => {
      cause = message;
      return EMPTY;
    },
    unanswered: (): AnswerPart[] =>
      left?.length ? [{ kind: 'unanswered', requests: left, ...(cause !== undefined && { cause }) }] : [],
    note: (part: AnswerPart): void => {
      const event = part.kind === 'event' ? { eventId: part.event.id, retryMs: part.event.retryMs } : part;
      if ('eventId' in event) lastEventId = event.eventId ?? lastEventId;
      if ('retryMs' in event) retryMs = event.retryMs ?? retryMs;
      left = left && without(left, part);
    },
  };
};

/** A failure with a status answers all requests. */
const without = (left: readonly RequestId[], part: AnswerPart): readonly RequestId[] => {
  if (part.kind === 'failed') return [];
  if (part.kind !== 'line') return left;
  if (part.status !== undefined) return [];
  const answered = parseLine(part.line).messages.flatMap((message) =>
    message.kind === 'response' && message.id !== null ? [idKey(message.id)] : [],
  );
  return left.filter((id) => !answered.includes(idKey(id)));
};
