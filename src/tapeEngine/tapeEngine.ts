/** The engine that plays recorded turns: the real server without a model behind it. */
import { defer } from 'rxjs';
import type { Engine, Event, ThreadRef, TurnOp } from '../protocol/codex';
import type { SessionIndex } from '../session';
import { closingMsgs, type Routed, rejection, routeTurns, turnEvent, untilStopped } from '../turns';
import { type PlayTurnDeps, playTurn } from './playTurn';
import { type RecordedTurn, toTurns } from './toTurns';

/** `strict` matches a call with the recorded one of the same prompt, `next` with the next one of its tool. */
export type TapeMatch = 'strict' | 'next';
/** `speed` is a multiple of the recorded pace, `max` does not wait; `newId` makes the id of a turn. */
export type TapeEngineDeps = Pick<PlayTurnDeps, 'speed'> & { match: TapeMatch; newId: () => string };

/** A call, and the recorded turn that it is matched with. */
type PlayedTurn = { op: TurnOp; recorded: RecordedTurn };

/**
 * Plays the calls of a recording, each once. A call that is not recorded, or was played already, is rejected with the next
 * one that is left. Threads keep their recorded ids. Turns of one thread play one after another.
 *   op   a----r--|       (a `codex`, r a `codex-reply`, both recorded)
 *   out  s-mz-s-m(z|)
 */
export const tapeEngine =
  ({ match, newId, speed }: TapeEngineDeps, index: SessionIndex): Engine =>
  (ask) =>
  (op$) =>
    defer(() =>
      op$.pipe(
        routeTurns<PlayedTurn>({
          route: matchTurns(toTurns(index), match),
          threadOf: ({ recorded }) => recorded.threadId,
          run: (turn, stop$) =>
            playTurn({ ask, speed }, turn.recorded, { op: turn.op, turnId: newId() }).pipe(
              untilStopped(stop$, () => aborted(turn)),
            ),
          withdrawn: aborted,
        }),
      ),
    );

const aborted = ({ op, recorded: { threadId } }: PlayedTurn): Event[] =>
  closingMsgs({ kind: 'interrupted' }).map((msg) => turnEvent({ op, threadId, turnId: '' }, msg));

/** Matches each call with a recorded turn, each turn once. */
const matchTurns = (turns: readonly RecordedTurn[], match: TapeMatch) => {
  let left = turns;
  let newest = '';
  return (op: TurnOp): Routed<PlayedTurn> => {
    const mine = left.filter((turn) => isOf(turn, op.thread, newest));
    const turn = mine.find(({ prompt }) => match === 'next' || prompt === op.prompt);
    if (turn === undefined) return rejection(op, missing(op, mine, left));
    left = left.filter((one) => one !== turn);
    newest = turn.threadId;
    return { kind: 'turn', turn: { op, recorded: turn } };
  };
};

const isOf = ({ tool, threadId }: RecordedTurn, ref: ThreadRef, newest: string): boolean => {
  if ('start' in ref) return tool === 'codex';
  return tool === 'codex-reply' && threadId === ('newest' in ref ? newest : ref.id);
};

const missing = (op: TurnOp, mine: readonly RecordedTurn[], left: readonly RecordedTurn[]): string => {
  const tool = 'start' in op.thread ? 'codex' : 'codex-reply on this thread';
  const [next] = mine;
  if (next) {
    const prompt = JSON.stringify(next.prompt);
    return `Not recorded: ${tool} with this prompt. Next on the tape, in line ${next.lineNumber}, is ${prompt}; --tape-match next takes any prompt for it.`;
  }
  return left.length === 0
    ? `Not recorded: every call on the tape was played.`
    : `Not recorded: the tape has no more calls of ${tool}; ${left.length} of others are left.`;
};
