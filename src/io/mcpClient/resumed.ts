/** Reopens an event stream that ended before it was complete. */
import {
  catchError,
  EMPTY,
  expand,
  filter,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  switchMap,
  timer,
} from 'rxjs';
import type { RequestId } from '../../protocol/jsonrpc/messages';
import { followedBy } from '../../streams/ends';
import type { HttpResponse } from '../http/httpRequest';
import { withoutAnswered } from './endings';
import { type ResponsePart, readResponse } from './readResponse';

/** What resuming a stream needs. */
type ResumeDeps = {
  /** Requests what came after an event. */
  get: (lastEventId?: string) => Observable<HttpResponse>;
  /** The ids of the requests that the stream answers: it ends with the last response. Default: the stream of a session, which is reopened whenever it ends. */
  requests?: readonly RequestId[];
};

const RETRY_MS = 1_000;
/** The shortest and the longest wait, in ms, whatever time the server names. */
const MIN_RETRY_MS = 100;
const MAX_RETRY_MS = 60_000;

/**
 * Passes the parts of a response. If it breaks or ends early, and its events have ids, it continues in a new request, after the time
 * that the server named. Completes when all requests are answered, or when the server has no more; then `unanswered` comes last.
 *   in   -ab#           (a, b events)
 *   out  -ab-----cd|    (c, d of the new request)
 */
export const resumed =
  ({ get, requests }: ResumeDeps): OperatorFunction<ResponsePart, ResponsePart> =>
  (part$) =>
    part$.pipe(
      untilBroken(),
      noting({ left: requests, retryMs: RETRY_MS }),
      expand((step) => (step.kind === 'over' ? goOn(get, step.course) : EMPTY)),
      filter(isPart),
    );

type Course = {
  /** The requests without an answer; undefined for the stream of a session. */
  left: readonly RequestId[] | undefined;
  lastEventId?: string;
  /** The wait that the server named. */
  retryMs: number;
  /** Why the last connection broke. */
  cause?: string;
  /** The server has no more. */
  isRefused?: true;
};

type Step = ResponsePart | { kind: 'broken'; cause: string } | { kind: 'refused' } | { kind: 'over'; course: Course };

const isPart = (step: Step): step is ResponsePart =>
  step.kind !== 'broken' && step.kind !== 'refused' && step.kind !== 'over';

/** The next connection, if there is more to come; otherwise the requests without a response. */
const goOn = (get: ResumeDeps['get'], course: Course): Observable<Step> =>
  isOver(course)
    ? of(...unanswered(course))
    : timer(waitMs(course)).pipe(
        switchMap(() => get(course.lastEventId)),
        mergeMap((response) =>
          response.status < 300 ? readResponse(response).pipe(untilBroken()) : of<Step>({ kind: 'refused' }),
        ),
        noting(course),
      );

const untilBroken = (): OperatorFunction<ResponsePart, Step> =>
  catchError(({ message }: Error) => of<Step>({ kind: 'broken', cause: message }));

/** Passes the steps of one connection, and at its end emits what is then known. */
const noting = (course: Course): OperatorFunction<Step, Step> =>
  followedBy<Step, Course>(noteStep, course, (end) => of<Step>({ kind: 'over', course: end }));

const noteStep = (course: Course, step: Step): Course => {
  switch (step.kind) {
    case 'over':
      return course;
    case 'refused':
      return { ...course, isRefused: true };
    case 'broken':
      return { ...course, cause: step.cause };
    default: {
      const { eventId, retryMs } = namesOf(step);
      return {
        ...course,
        lastEventId: eventId ?? course.lastEventId,
        retryMs: retryMs ?? course.retryMs,
        left: course.left && withoutAnswered(course.left, step),
      };
    }
  }
};

const namesOf = (part: ResponsePart): { eventId?: string; retryMs?: number } => {
  if (part.kind === 'event') return { eventId: part.event.id, retryMs: part.event.retryMs };
  return part.kind === 'line' ? part : {};
};

const waitMs = ({ retryMs }: Course): number => Math.max(MIN_RETRY_MS, Math.min(retryMs, MAX_RETRY_MS));

const isOver = ({ isRefused, left, lastEventId }: Course): boolean =>
  isRefused === true || (left !== undefined && (left.length === 0 || lastEventId === undefined));

const unanswered = ({ left, cause }: Course): ResponsePart[] =>
  left?.length ? [{ kind: 'unanswered', requests: left, ...(cause !== undefined && { cause }) }] : [];
