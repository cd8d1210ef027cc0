/** Owns playing one recorded turn to whoever called. */
import { concat, defer, delay, ignoreElements, type Observable, of, takeWhile } from 'rxjs';
import {
  type Ask,
  type CodexEvent,
  type Event,
  type EventMsg,
  isLast,
  type ReviewResult,
  type TurnOp,
} from '../protocol/codex';
import type { RecordedTurn, TurnStep } from './toTurns';

/** `speed` is how many times faster than recorded; `max` does not wait. */
export type PlayTurnDeps = { ask: Ask; speed: number | 'max' };

/**
 * The events of a recorded turn, in their order and at their pace. A question is put again: the turn goes on as recorded
 * when the answer is the recorded one, else it fails and says which one the tape has.
 *   steps  a-Q--b-z      ask ------y      (y the recorded answer)
 *   out    a-Q-------b-(z|)
 */
export const playTurn = (deps: PlayTurnDeps, turn: RecordedTurn, op: TurnOp, turnId: string): Observable<Event> => {
  const tell = (msg: EventMsg): CodexEvent => ({
    kind: 'event',
    callId: op.callId,
    threadId: turn.threadId,
    turnId,
    id: msg.type === 'session_configured' ? '' : op.eventId,
    msg,
  });
  const from = (at: number): Observable<Event> => {
    const upTo = turn.steps.findIndex(({ question }, index) => index >= at && question !== undefined);
    const plain = turn.steps.slice(at, upTo === -1 ? undefined : upTo);
    const told$ = concat(...plain.map((step) => wait(deps, step, tell(step.msg))));
    if (upTo === -1) return told$;
    const step = turn.steps[upTo] as TurnStep;
    const asked$ = deps.ask<Event>(
      op,
      (question) => ({ ...tell(step.msg), question }),
      (verdict) => (isRecorded(step, verdict) ? from(upTo + 1) : of(...astray(step, verdict).map(tell))),
    );
    return concat(told$, wait(deps, step, null).pipe(ignoreElements()), asked$);
  };
  return concat(
    defer(() => from(0)),
    of(...endOf(turn).map(tell)),
  ).pipe(takeWhile((event) => !isLast(event), true));
};

const wait = <T>({ speed }: PlayTurnDeps, { afterMs }: TurnStep, item: T): Observable<T> =>
  speed === 'max' || afterMs === 0 ? of(item) : of(item).pipe(delay(afterMs / speed));

const isRecorded = ({ question }: TurnStep, { decision, form }: ReviewResult): boolean =>
  question?.decision === undefined ||
  question.decision === decision ||
  (question.form !== undefined && form !== undefined);

const astray = ({ question }: TurnStep, { decision, reason }: ReviewResult): EventMsg[] => [
  {
    type: 'error',
    message: `The tape cannot go on: this question was answered "${question?.decision}" when it was recorded, and "${decision}" now${reason === undefined ? '' : ` (${reason})`}.`,
  },
  { type: 'task_complete', last_agent_message: null },
];

/** What ends a turn whose recorded events do not: events may not have been sent, or the tape was cut. */
const endOf = ({ steps, text, failure }: RecordedTurn): EventMsg[] => {
  const hasError = steps.some(({ msg }) => msg.type === 'error');
  if (failure === undefined) return [{ type: 'task_complete', last_agent_message: text }];
  return [
    ...(hasError ? [] : [{ type: 'error' as const, message: failure }]),
    { type: 'task_complete', last_agent_message: null },
  ];
};
