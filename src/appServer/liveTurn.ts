/** Owns a turn from its start in the server to its end, however that comes. */
import {
  catchError,
  concat,
  connect,
  defer,
  filter,
  finalize,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  switchMap,
  take,
  tap,
} from 'rxjs';
import type { Ask, CodexEvent, Event, EventMsg } from '../protocol/codex';
import { ofKind } from '../streams';
import { isQuestion } from './approvals';
import { ending, isRunning, lastWords, type Stop } from './ending';
import { endOf } from './endOf';
import { nothingHeard } from './heard';
import { interrupt } from './interrupt';
import type { Link } from './link';
import { type OpenDeps, type Opened, startTurn } from './openThread';
import { put } from './put';
import type { Thread, Turn } from './threads';
import { toMsgs } from './toMsgs';
import { unreachable } from './unreachable';
import { type Said, untilOver } from './untilOver';
import { isOfTurn, isStart, threadOf, turnOf, type Word } from './wire';

/** @param modelWaitMs how long the server may try to reach its model before the turn is stopped */
export type LiveDeps = OpenDeps & { ask: Ask; modelWaitMs: number };

/**
 * One turn on a thread that is ready. Emits its events; the last is `task_complete` or `turn_aborted`.
 * @param stop$ emits when the turn is to be stopped from this side
 * Never errors: a server that is gone, or does not take the turn, is a turn that failed.
 *   word  -s-m-z       stop$ -----x        (s turn/started, m item, z turn/completed)
 *   out   -S-M-(C|)    out   -S-M----(A|)  (A when the server has ended the turn, or after 3 s)
 */
export const liveTurn = (
  deps: LiveDeps,
  link: Link,
  turn: Turn,
  opened: Opened,
  stop$: Observable<Stop>,
): Observable<Event> =>
  defer(() => {
    const { op, thread } = turn;
    const { threadId } = opened;
    let before = thread.turnId;
    const isMine = (word: Word) => isOfTurn(word, { now: thread.turnId, before });
    const known = () => {
      before = undefined; // the server may have put the prompt into the turn before, where that has not ended
    };
    const heard = nothingHeard();
    const tell = teller(turn, threadId);
    link.busy.set(threadId, isMine);
    link.givenUp.delete(threadId);
    return link.word$.pipe(
      filter((word) => threadOf(word) === threadId && isMine(word)),
      connect((word$) =>
        merge(
          merge(startTurn(deps, link, thread, opened, op.prompt).pipe(tap(known)), startedBy(word$)).pipe(
            keptIn(thread),
          ),
          word$.pipe(
            ofKind('notification'),
            mergeMap(({ method, params }) =>
              merge(of(...toMsgs(heard, method, params).map(tell)), ending(heard, endOf(method, params))),
            ),
          ),
          word$.pipe(
            ofKind('request'),
            filter(isQuestion),
            mergeMap((request) => put({ ask: deps.ask, link, op, heard, tell, word$ }, request)),
          ),
          merge(stop$, unreachable(word$, deps.modelWaitMs)).pipe(stopping(link, thread, threadId)),
        ),
      ),
      untilOver((end) => {
        if (end.kind !== 'completed' && isRunning(heard)) link.tell(END_COMMANDS, { threadId });
        return lastWords(heard, end).map(tell);
      }),
      catchError(({ message }: Error) => of(...lastWords(heard, { kind: 'failed', message, soon: false }).map(tell))),
      finalize(() => link.busy.delete(threadId)),
    );
  });

/** The commands of a turn outlive it, when it is interrupted. */
const END_COMMANDS = 'thread/backgroundTerminals/clean';

/** Once: a turn can be stopped for one reason only. */
const stopping =
  (link: Link, thread: Thread, threadId: string): OperatorFunction<Stop, Said> =>
  (stop$) =>
    stop$.pipe(
      take(1),
      switchMap((stop) =>
        concat(
          of<Said>({ kind: 'stopping', stop }),
          interrupt<Said>(link, threadId, () => thread.turnId, { kind: 'over', end: stop }).pipe(
            tap(() => link.givenUp.add(threadId)),
          ),
        ),
      ),
    );

const keptIn =
  (thread: Thread): OperatorFunction<string, never> =>
  (turnId$) =>
    turnId$.pipe(
      tap((turnId) => {
        thread.turnId = turnId;
      }),
      ignoreElements(),
    );

/** The id of the turn as its beginning tells it, which may be before the answer does. */
const startedBy = (word$: Observable<Word>): Observable<string> => word$.pipe(filter(isStart), take(1), map(turnOf));

const teller =
  ({ op, thread }: Turn, threadId: string) =>
  (msg: EventMsg): CodexEvent => ({
    kind: 'event',
    callId: op.callId,
    threadId,
    turnId: thread.turnId ?? '',
    id: op.eventId,
    msg,
  });
