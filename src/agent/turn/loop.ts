/** The answers of the model in one turn, and the input that joins it in the meantime. */
import {
  concat,
  concatMap,
  defer,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  repeat,
  startWith,
  tap,
} from 'rxjs';
import type { CodexEvent, Event } from '../../protocol/codex/events';
import type { TokenUsage } from '../../protocol/model/events';
import { toStream } from '../../streams/awaitable';
import { mapMulti } from '../../streams/gather';
import { budgetOf, tokensOf } from '../compaction/budget';
import { compact, compactedEvent } from '../compaction/compact';
import { sampleOnce } from '../sampling/sampleOnce';
import type { TurnDeps, TurnPorts } from '../sampling/turnDeps';
import { endOf, eventOf, type Turn, type TurnStep } from '../thread/steps';
import { toUserMessage } from '../thread/toUserMessage';
import { askInTurn } from '../turns/askInTurn';
import type { InputOffer } from '../turns/queueTurns';
import {
  advance,
  type Change,
  initialState,
  isTooLong,
  type LoopState,
  type WaitingInput,
  withInputs,
  withoutOldOutputs,
} from './loopState';

/**
 * Asks the model until it asks for nothing more and no input is waiting; then emits the end of the turn, but does not complete. Input that
 * has come in the meantime goes into the next request, and is `joined`; the history is kept after each step.
 *   input$  --i-------          (i an input)
 *   model   -c--z| -m-z|        (c a call, z completed, m a message)
 *   out     -BE-J--M--(c…)      (B, E the command, J joined, M the message, c task_complete)
 * One variable holds the state of the loop, because `repeat` starts each answer anew.
 */
export const loop = (turnDeps: TurnDeps, turn: Turn, { input$, keep }: TurnPorts): Observable<TurnStep> =>
  defer(() => {
    const deps = { ...turnDeps, ask: askInTurn(turnDeps.ask) };
    let state = initialState(turn);
    const take = (offer: InputOffer): Observable<never> =>
      toWaiting(turn)(offer).pipe(
        tap((change) => {
          state = change(state);
        }),
        ignoreElements(),
      );
    const inputs$ = input$.pipe(concatMap(take)); // in order, even if one has to be read from disk first
    const answers$ = defer(() => {
      const before = state;
      state = withoutOldOutputs(withInputs(state), budgetOf(turn.thread.config));
      if (before.inputs.length + before.added.length > 0) keep(state.history);
      const asked$ = ask(deps, turn, () => state);
      return before.inputs.length === 0 ? asked$ : asked$.pipe(startWith(...before.inputs.map(joinedOf(turn))));
    }).pipe(
      mapMulti<TurnStep, TurnStep>((step, emit) => {
        const before = state;
        state = advance(turn, { state, step });
        if (state.history !== before.history) keep(state.history);
        for (const visible of visibleOf(turn, { step, before, state })) emit(visible);
      }),
      repeat(),
    );
    return merge(inputs$, answers$);
  });

/** Shortens the conversation where necessary, then lets the model answer. */
const ask = (deps: TurnDeps, turn: Turn, current: () => LoopState): Observable<TurnStep> => {
  const state = current();
  if (!isTooLong(state, budgetOf(turn.thread.config))) return answer(deps, turn, state);
  return concat(
    shorten(deps, turn, state),
    defer(() => answer(deps, turn, current())),
  );
};

const answer = (deps: TurnDeps, turn: Turn, { history, sample }: LoopState): Observable<TurnStep> =>
  sampleOnce(deps)(turn, history.past, sample);

/** A conversation that the model refused because of its length is longer than estimated. */
const shorten = (deps: TurnDeps, turn: Turn, state: LoopState): Observable<TurnStep> => {
  const budget = budgetOf(turn.thread.config);
  const { past } = state.history;
  const maxTokens = state.compaction === 'due' ? Math.min(budget.limitTokens, tokensOf(past) / 2) : budget.limitTokens;
  return compact(deps)(turn, { past, maxTokens });
};

const withoutInput = (state: LoopState, callId: string): LoopState => ({
  ...state,
  inputs: state.inputs.filter(({ op }) => op.callId !== callId),
});

/** How an offer changes the waiting inputs. */
const toWaiting =
  ({ thread: { config, workspace } }: Turn) =>
  (offer: InputOffer): Observable<(state: LoopState) => LoopState> => {
    if (offer.kind === 'withdrawn') return of((state) => withoutInput(state, offer.callId));
    const { op } = offer;
    return toStream(toUserMessage(workspace.readImage, config.cwd, op.input)).pipe(
      map((message) => (state) => ({ ...state, inputs: [...state.inputs, { op, message }] })),
    );
  };

const joinedOf =
  ({ op, thread }: Turn) =>
  ({ op: { callId } }: WaitingInput): TurnStep => ({
    kind: 'joined',
    callId,
    threadId: thread.id,
    turnCallId: op.callId,
  });

/** What the caller sees of a step: the diff if it has changed, and the end of the turn unless input is waiting. */
export const visibleOf = (turn: Turn, { step, before, state }: Change): readonly TurnStep[] => {
  switch (step.kind) {
    case 'patched':
      return state.diff === before.diff ? [] : [diffEvent(turn, state)];
    case 'unanswered':
      return before.isAskedAgain ? endOf(turn, { kind: 'failed', message: noAnswer(step.types) }) : [];
    case 'compacted':
      return [compactedEvent(turn)];
    case 'tooLong':
      return before.compaction === 'done' ? endOf(turn, { kind: 'failed', message: step.message }) : [];
    case 'image':
    case 'unknown':
    case 'nothing':
      return [];
    case 'finished':
      return state.inputs.length > 0 ? [] : endOf(turn, step);
    case 'event':
      return [step.msg.type === 'token_count' ? withSums(step, step.msg, state) : step];
    default:
      return [step];
  }
};

/** The cost of an answer, with the sums of the thread and of the turn. */
const withSums = (
  event: CodexEvent,
  msg: CodexEvent['msg'] & TokenUsage,
  { usage, history }: LoopState,
): CodexEvent => ({
  ...event,
  msg: { ...msg, ...(history.usage && { total: history.usage }), ...(usage && { turn: usage }) },
});

const noAnswer = (types: readonly string[]): string =>
  `The model gave no answer: twice it sent only ${types.join(', ')}, neither a message nor a tool call. Try again, or choose another model.`;

/** Sent once per change. Source: Codex 0.28.0 sent it after every answer of the model. */
const diffEvent = (turn: Turn, { diff }: LoopState): Event & { kind: 'event' } =>
  eventOf(turn, { type: 'turn_diff', unified_diff: diff });
