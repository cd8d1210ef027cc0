/** The engine that plays recorded turns: the real server without a model behind it. */
import { concat, defer, delay, from, ignoreElements, mergeMap, type Observable, of, takeWhile } from 'rxjs';
import type { Ask, Engine, ReviewResult } from '../../protocol/codex/engine';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import { type CodexEvent, type Event, endsTurn } from '../../protocol/codex/events';
import { type ThreadOp, type ThreadRef, type TurnOp, textOf } from '../../protocol/codex/operations';
import type { SessionIndex } from '../../tapes/session/sessionIndex';
import type { TurnPorts } from '../turns/queueTurns';
import { rejection } from '../turns/rejection';
import { type Routed, routeTurns } from '../turns/runThreads';
import { closingEventsOf, turnEvent, untilStopped } from '../turns/turnEvents';
import { type RecordedTurn, type TurnStep, toTurns } from './toTurns';

type TapeEngineDeps = Pick<PlayTurnDeps, 'speed'> & {
  match: TapeMatch;
  /** Makes the id of a turn. */
  newId: () => string;
};

/**
 * Plays the calls of a recording, each once. A call that could not begin is rejected as it was; a call that is not recorded, or was played before, with a
 * reason that names the next call that is left. Threads keep their recorded ids. Turns of one thread play one after another; input never joins a turn,
 * because the recording holds what the model answered to each input. A thread that is opened without a turn plays its first turn later. Compaction is not
 * recorded.
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
          run: (turn, { stop$ }) => playMatched({ ask, speed }, { turn, turnId: newId() }, stop$),
          withdrawn: aborted,
        }),
      );
    });

const playMatched = (
  deps: PlayTurnDeps,
  { turn, turnId }: { turn: MatchedTurn; turnId: string },
  stop$: TurnPorts['stop$'],
): Observable<Event> => {
  const { op, recorded } = turn;
  if ('input' in op) {
    return playTurn(deps, recorded, { op, turnId }).pipe(untilStopped(stop$, () => aborted(turn)));
  }
  const { threadId, steps } = recorded;
  const msgs = steps.map(({ msg }) => turnEvent({ op, threadId, turnId: '' }, msg));
  return concat(from(msgs), of<Event>({ kind: 'done', callId: op.callId, threadId }));
};

const aborted = ({ op, recorded: { threadId } }: MatchedTurn): Event[] =>
  closingEventsOf({ op, threadId, turnId: '' }, { kind: 'interrupted' });

type PlayTurnDeps = {
  /** Sends a question to the client. */
  ask: Ask;
  /** A multiple of the recorded pace; `max` does not wait. */
  speed: number | 'max';
};

/**
 * The events of a recorded turn, in their order and at their pace. A recorded question is asked again: the turn continues
 * when the answer is the recorded one; otherwise it fails, and the error names the recorded answer. Completes with the turn.
 *   steps  a-Q--b-z      ask ------y      (y the recorded answer)
 *   out    a-Q-------b-(z|)
 */
export const playTurn = (
  deps: PlayTurnDeps,
  turn: RecordedTurn,
  { op, turnId }: { op: TurnOp; turnId: string },
): Observable<Event> => {
  const toEvent = (msg: EventMsg) => turnEvent({ op, threadId: turn.threadId, turnId }, msg);
  return concat(
    defer(() => playFrom({ ...deps, turn, op, toEvent }, 0)),
    of(...notDoneIn(turn, op), ...endOf(turn).map(toEvent)),
  ).pipe(takeWhile((event) => !endsTurn(event), true));
};

type Playing = PlayTurnDeps & { turn: RecordedTurn; op: TurnOp; toEvent: (msg: EventMsg) => CodexEvent };

/** The events from a step on; what follows a question comes after its answer. */
const playFrom = (playing: Playing, at: number): Observable<Event> => {
  const { ask, turn, op, toEvent } = playing;
  const next = turn.steps.findIndex(({ question }, index) => index >= at && question !== undefined);
  const plain = turn.steps.slice(at, next === -1 ? undefined : next);
  const plain$ = concat(
    ...plain.map((step) => wait(playing, step, toEvent(step.msg)).pipe(mergeMap(withNotDone(playing)))),
  );
  if (next === -1) return plain$;
  const step = turn.steps[next] as TurnStep;
  const asked$ = ask<Event>(
    op,
    (question) => ({ ...toEvent(step.msg), question }),
    (verdict) =>
      isRecorded(step, verdict) ? playFrom(playing, next + 1) : of(...otherAnswer(step, verdict).map(toEvent)),
  );
  return concat(plain$, wait(playing, step, null).pipe(ignoreElements()), asked$);
};

const wait = <T>({ speed }: PlayTurnDeps, { afterMs }: TurnStep, item: T): Observable<T> =>
  speed === 'max' || afterMs === 0 ? of(item) : of(item).pipe(delay(afterMs / speed));

/** The end of a turn comes after what was not done, which no recorded event tells. */
const withNotDone =
  ({ turn, op }: Playing) =>
  (event: Event): Event[] =>
    endsTurn(event) ? [...notDoneIn(turn, op), event] : [event];

const notDoneIn = ({ notDone = [] }: RecordedTurn, { callId }: TurnOp): Event[] =>
  notDone.map((action) => ({ kind: 'declined', callId, ...action }));

const isRecorded = ({ question }: TurnStep, { decision, form }: ReviewResult): boolean =>
  question?.decision === undefined ||
  question.decision === decision ||
  (question.form !== undefined && form !== undefined);

const otherAnswer = ({ question }: TurnStep, { decision, reason }: ReviewResult): EventMsg[] => [
  {
    type: 'error',
    message: `The tape cannot continue: this question was answered "${question?.decision}" when it was recorded, and "${decision}" now${reason === undefined ? '' : ` (${reason})`}.`,
  },
  { type: 'task_complete', last_agent_message: null },
];

/** The end of a turn whose recorded events have none: the server may not have sent events, or the tape was cut. */
const endOf = ({ steps, text, failure }: RecordedTurn): EventMsg[] => {
  const hasError = steps.some(({ msg }) => msg.type === 'error');
  if (failure === undefined) return [{ type: 'task_complete', last_agent_message: text }];
  return [
    ...(hasError ? [] : [{ type: 'error' as const, message: failure }]),
    { type: 'task_complete', last_agent_message: null },
  ];
};

/** `strict` matches a call with the recorded call of the same prompt, `next` with the next call of its tool. */
export type TapeMatch = 'strict' | 'next';

type MatchedTurn = {
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
  const { isRejected, failure = '' } = turn;
  if (isRejected) return { tape: { ...without(tape, turn, []), newest: tape.newest }, routed: rejection(op, failure) };
  return { tape: without(tape, turn, []), routed: played(op, turn) };
};

const matchOther = (tape: Tape, op: Exclude<ThreadOp, TurnOp>): Match => {
  if (op.kind === 'compact') {
    return { tape, routed: rejection(op, 'Not recorded: a tape has no turns that compact a thread.') };
  }
  const known = findThread(tape, op.thread);
  const turn = known === undefined ? undefined : tape.turns.find(({ threadId }) => threadId === known);
  if (turn !== undefined) return { tape, routed: played(op, { ...turn, steps: [] }) };
  const first =
    'start' in op.thread ? tape.left.find(({ tool, isRejected }) => tool === 'codex' && !isRejected) : undefined;
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
