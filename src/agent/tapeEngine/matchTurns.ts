/** Finds the recorded turn that answers an operation. */
import { type ThreadOp, type ThreadRef, type TurnOp, textOf } from '../../protocol/codex/operations';
import { rejection } from '../turns/rejection';
import type { Routed } from '../turns/runThreads';
import type { RecordedTurn } from './toTurns';

/** `strict` matches a call with the recorded call of the same prompt, `next` with the next call of its tool. */
export type TapeMatch = 'strict' | 'next';

export type MatchedTurn = {
  op: ThreadOp;
  /** The recorded turn that answers it; for `open` and `close` with the steps that they emit. */
  recorded: RecordedTurn;
};

type TurnMatcher = {
  /** The recorded turn of an operation, each once: the turns that are left change with each operation. */
  route: (op: ThreadOp) => Routed<MatchedTurn>;
  /** The id of a recorded thread; the newest is the thread of the last operation. */
  find: (ref: ThreadRef) => string | undefined;
};

type Tape = {
  turns: readonly RecordedTurn[];
  /** To play. */
  left: readonly RecordedTurn[];
  /** The thread of the last operation. */
  newest?: string;
};

type Match = { tape: Tape; routed: Routed<MatchedTurn> };

/** Finds the recorded turn for each prompt. */
export const matchTurns = (turns: readonly RecordedTurn[], match: TapeMatch): TurnMatcher => {
  let tape: Tape = { turns, left: turns };
  return {
    find: (ref) => findThread(tape, ref),
    route: (op) => {
      const matched = 'input' in op ? matchInput(tape, op, match) : matchOther(tape, op);
      tape = matched.tape;
      return matched.routed;
    },
  };
};

const findThread = ({ turns, newest }: Tape, ref: ThreadRef): string | undefined => {
  if ('newest' in ref) return newest;
  return 'id' in ref && turns.some(({ threadId }) => threadId === ref.id) ? ref.id : undefined;
};

/** The tape after a turn was played; `rest` is left in its place. */
const without = (tape: Tape, turn: RecordedTurn, rest: readonly RecordedTurn[]): Tape => ({
  ...tape,
  left: tape.left.flatMap((one) => (one === turn ? rest : [one])),
  newest: turn.threadId,
});

const played = (op: ThreadOp, recorded: RecordedTurn): Routed<MatchedTurn> => ({
  kind: 'turn',
  turn: { op, recorded },
});

const matchInput = (tape: Tape, op: TurnOp, match: TapeMatch): Match => {
  const mine = tape.left.filter((turn) => isOf(turn, op.thread, tape.newest));
  const turn = mine.find(({ prompt }) => match === 'next' || prompt === textOf(op.input));
  if (turn === undefined) return { tape, routed: rejection(op, missing(op, mine, tape.left)) };
  return { tape: without(tape, turn, []), routed: played(op, turn) };
};

const matchOther = (tape: Tape, op: Exclude<ThreadOp, TurnOp>): Match => {
  if (op.kind === 'compact') {
    return { tape, routed: rejection(op, 'Not recorded: a tape has no turns that compact a thread.') };
  }
  const known = findThread(tape, op.thread);
  const turn = known === undefined ? undefined : tape.turns.find(({ threadId }) => threadId === known);
  if (turn !== undefined) return { tape, routed: played(op, { ...turn, steps: [] }) };
  const first = 'start' in op.thread ? tape.left.find(({ tool }) => tool === 'codex') : undefined;
  return first === undefined
    ? { tape, routed: rejection(op, 'Not recorded: the tape has no such thread.') }
    : open(tape, op, first);
};

/** The thread begins; its first turn is played by the next operation on it. */
const open = (tape: Tape, op: ThreadOp, first: RecordedTurn): Match => {
  const steps = first.steps.filter(({ msg }) => msg.type === 'session_configured');
  const rest = { ...first, tool: 'codex-reply' as const, steps: first.steps.filter((step) => !steps.includes(step)) };
  return { tape: without(tape, first, [rest]), routed: played(op, { ...first, steps }) };
};

const isOf = ({ tool, threadId }: RecordedTurn, ref: ThreadRef, newest: string | undefined): boolean => {
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
