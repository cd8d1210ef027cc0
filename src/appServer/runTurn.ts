/** Owns one call on its thread, from finding a server to the last event; whatever happens, there is one. */
import { catchError, concat, connect, map, merge, mergeMap, type Observable, of, take, tap, timer } from 'rxjs';
import { ConfigError } from '../config';
import type { Log } from '../log';
import type { Event, EventMsg } from '../protocol/codex';
import { RpcError } from '../protocol/jsonrpc';
import { toTimerMs } from '../streams';
import { lastWords, type Stop } from './ending';
import { nothingHeard } from './heard';
import type { Link } from './link';
import { type LiveDeps, liveTurn } from './liveTurn';
import { NotBegun } from './notBegun';
import { openThread } from './openThread';
import type { Turn } from './threads';

/**
 * @param link$ emits a server that can be asked, starting one where there is none; errors when it cannot be started
 * @param keep told of each thread when its id is known; @param drop of each that no server has begun or loaded
 */
export type TurnDeps = LiveDeps & {
  link$: Observable<Link>;
  keep: (thread: Turn['thread']) => void;
  drop: (thread: Turn['thread']) => void;
  turnTimeoutMs: number;
  log: Log;
};

/**
 * Runs a call. Emits its events; the last is `refused`, `task_complete` or `turn_aborted`. Never errors.
 * @param cancel$ emits when the caller wants no more of it
 */
export const runTurn =
  (deps: TurnDeps) =>
  (turn: Turn, cancel$: Observable<unknown>): Observable<Event> =>
    merge(cancel$.pipe(map((): Stop => ({ kind: 'interrupted' }))), deadline(deps.turnTimeoutMs)).pipe(
      connect((stop$) =>
        merge(stop$.pipe(map((stop) => ({ stop }))), begin(deps, turn)).pipe(
          take(1),
          mergeMap((first) =>
            'stop' in first
              ? of(...lastWords(nothingHeard(), first.stop).map((msg) => early(turn, msg)))
              : concat(
                  of(...first.opened.news.map((msg) => early(turn, msg))),
                  liveTurn(deps, first.link, turn, first.opened, stop$),
                ),
          ),
        ),
      ),
      catchError((error: Error) => of(refusal(deps.log, turn, error))),
      tap(() => {
        if (turn.thread.loadedBy === undefined) deps.drop(turn.thread);
      }),
    );

/** A server, and the thread in it. */
const begin = (deps: TurnDeps, { thread }: Turn) =>
  deps.link$.pipe(
    take(1),
    mergeMap((link) => openThread(deps, link, thread).pipe(map((opened) => ({ link, opened })))),
    tap(() => deps.keep(thread)),
  );

/** Before the turn has an id. Source: Codex 0.28.0: the first event of a thread goes under the id ''. */
const early = ({ op, thread }: Turn, msg: EventMsg): Event => ({
  kind: 'event',
  callId: op.callId,
  threadId: thread.id ?? '',
  turnId: '',
  id: msg.type === 'session_configured' ? '' : op.eventId,
  msg,
});

const refusal = (log: Log, { op: { callId } }: Turn, error: Error): Event => {
  const isNews = error instanceof ConfigError || error instanceof NotBegun || error instanceof RpcError;
  if (!isNews) log('warning', 'a call could not begin', { callId, reason: error.message });
  const message = error instanceof ConfigError ? `Failed to load Codex configuration: ${error.message}` : error.message;
  return { kind: 'rejected', callId, message };
};

const deadline = (ms: number): Observable<Stop> =>
  timer(toTimerMs(ms)).pipe(
    map(() => ({ kind: 'late', message: `The turn took longer than ${ms / 1000} s and was stopped.` })),
  );
