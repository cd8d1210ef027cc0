/** Owns a turn from its start in the server to its end, however that comes. */
import {
  catchError,
  connect,
  defer,
  filter,
  finalize,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  switchMap,
  take,
  takeWhile,
  tap,
} from 'rxjs';
import type { Ask, Event, EventMsg, Told } from '../protocol';
import { ofKind } from '../streams';
import { isQuestion } from './approvals';
import { ending, isRunning, lastWords, type Over, type Stop } from './ending';
import { endOf } from './endOf';
import { nothingHeard } from './heard';
import { interrupt } from './interrupt';
import type { Link } from './openLink';
import { type OpenDeps, type Opened, startTurn } from './openThread';
import { put } from './put';
import type { Turn } from './threads';
import { toMsgs } from './toMsgs';
import { unreachable } from './unreachable';
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
  { op, thread }: Turn,
  opened: Opened,
  stop$: Observable<Stop>,
): Observable<Event> =>
  defer(() => {
    const { threadId } = opened;
    const { turnId: turnBefore } = thread;
    const heard = nothingHeard();
    let stopped: Stop | undefined;
    const tell = teller({ op, thread }, threadId);
    const isMine = (word: Word): boolean =>
      threadOf(word) === threadId && isOfTurn(word, { now: thread.turnId, before: turnBefore });
    const close = (over: Over): (Event | Over)[] => {
      const end = stopped ?? over.end;
      if (isRunning(heard) && end.kind !== 'completed') link.tell('thread/backgroundTerminals/clean', { threadId });
      return [...lastWords(heard, end).map(tell), over];
    };
    link.busy.add(threadId);
    return link.word$.pipe(
      filter(isMine),
      connect((word$) =>
        merge(
          merge(startTurn(deps, link, thread, opened, op.prompt), startedBy(word$)).pipe(
            tap((turnId) => {
              thread.turnId = turnId;
            }),
            ignoreElements(),
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
          merge(stop$, unreachable(word$, deps.modelWaitMs)).pipe(
            take(1),
            tap((stop) => {
              stopped = stop;
            }),
            switchMap((end) => interrupt<Over>(link, threadId, () => thread.turnId, { kind: 'over', end })),
          ),
        ),
      ),
      mergeMap((said) => (said.kind === 'over' ? close(said) : [said])),
      takeWhile((said): said is Event => said.kind !== 'over'),
      catchError((error: Error) =>
        of(...lastWords(heard, { kind: 'failed', message: error.message, soon: false }).map(tell)),
      ),
      finalize(() => link.busy.delete(threadId)),
    );
  });

/** The id of the turn as its beginning tells it, which may be before the answer does. */
const startedBy = (word$: Observable<Word>): Observable<string> => word$.pipe(filter(isStart), take(1), map(turnOf));

const teller =
  ({ op, thread }: Turn, threadId: string) =>
  (msg: EventMsg): Told => ({
    kind: 'told',
    callId: op.callId,
    threadId,
    turnId: thread.turnId ?? '',
    id: op.eventId,
    msg,
  });
