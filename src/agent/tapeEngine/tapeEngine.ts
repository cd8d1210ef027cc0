/** The engine that plays recorded turns: the real server without a model behind it. */
import { concat, defer, from, type Observable, of } from 'rxjs';
import type { Engine } from '../../protocol/codex/engine';
import type { Event } from '../../protocol/codex/events';
import type { SessionIndex } from '../../tapes/session/sessionIndex';
import type { TurnPorts } from '../turns/queueTurns';
import { routeTurns } from '../turns/routeTurns';
import { closingMsgs } from '../turns/turnEnd';
import { turnEvent } from '../turns/turnEvent';
import { untilStopped } from '../turns/untilStopped';
import { type MatchedTurn, matchTurns, type TapeMatch } from './matchTurns';
import { type PlayTurnDeps, playTurn } from './playTurn';
import { toTurns } from './toTurns';

/** `speed` is a multiple of the recorded pace, `max` does not wait; `newId` makes the id of a turn. */
export type TapeEngineDeps = Pick<PlayTurnDeps, 'speed'> & { match: TapeMatch; newId: () => string };

/**
 * Plays the calls of a recording, each once. A call that is not recorded, or was played already, is rejected with the next
 * one that is left. Threads keep their recorded ids. Turns of one thread play one after another; input never joins one, because the
 * recording holds what the model answered to each. A thread that is opened without a turn plays its first turn later. Compaction is
 * not recorded.
 *   op   a----r--|       (a `codex`, r a `codex-reply`, both recorded)
 *   out  s-mz-s-m(z|)
 */
export const tapeEngine =
  ({ match, newId, speed }: TapeEngineDeps, index: SessionIndex): Engine =>
  (ask) =>
  (op$) =>
    defer(() => {
      const { route, find } = matchTurns(toTurns(index), match);
      return op$.pipe(
        routeTurns<MatchedTurn, string>({
          route,
          find,
          threadOf: ({ recorded }) => recorded.threadId,
          idOf: (threadId) => threadId,
          run: (turn, { stop$ }) => play({ ask, speed }, { turn, turnId: newId() }, stop$),
          withdrawn: aborted,
        }),
      );
    });

type Playing = { turn: MatchedTurn; turnId: string };

const play = (deps: PlayTurnDeps, { turn, turnId }: Playing, stop$: TurnPorts['stop$']): Observable<Event> => {
  const { op, recorded } = turn;
  if ('input' in op) {
    return playTurn(deps, recorded, { op, turnId }).pipe(untilStopped(stop$, () => aborted(turn)));
  }
  const { threadId, steps } = recorded;
  const msgs = steps.map(({ msg }) => turnEvent({ op, threadId, turnId: '' }, msg));
  return concat(from(msgs), of<Event>({ kind: 'done', callId: op.callId, threadId }));
};

const aborted = ({ op, recorded: { threadId } }: MatchedTurn): Event[] =>
  closingMsgs({ kind: 'interrupted' }).map((msg) => turnEvent({ op, threadId, turnId: '' }, msg));
