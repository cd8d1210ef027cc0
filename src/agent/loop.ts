/** The answers of the model in one turn, and the input that joins it meanwhile. */
import { concat, concatMap, defer, EMPTY, ignoreElements, map, merge, type Observable, of, repeat, tap } from 'rxjs';
import { addPlan, noTurnChanges, type TurnChanges } from '../patch';
import type { Event, TurnOp } from '../protocol/codex';
import type { ResponseItem } from '../protocol/model';
import { askInTurn, type InputOffer } from '../turns';
import { addStep, closeAnswer, type History } from './history';
import { sampleOnce } from './sampleOnce';
import { endOf, eventOf, type Sample, type Turn, type TurnStep } from './steps';
import { toUserMessage } from './toUserMessage';
import type { TurnDeps, TurnPorts } from './turnDeps';

/** An input that waits for the next request to the model, as the message that it becomes. */
export type WaitingInput = { op: TurnOp; message: ResponseItem };

/** What one answer leaves to the next; `diff` is the last one that was sent. */
type LoopState = {
  history: History;
  sample: Sample;
  changes: TurnChanges;
  diff: string;
  inputs: readonly WaitingInput[];
};

const FIRST: Sample = { kind: 'sample', attempt: 0, lastMessage: null };

/**
 * Asks the model until it asks for nothing more and no input waits; then emits the end of the turn, but does not complete. Input that
 * came meanwhile goes into the next request, and is `joined`; the state is kept after each step.
 *   input$  --i-------          (i an input)
 *   model   -c--z| -m-z|        (c a call, z completed, m a message)
 *   out     -BE-J--M--(c…)      (B, E the command, J joined, M the message, c task_complete)
 * One variable holds the state of the loop, because `repeat` begins each answer anew.
 */
export const loop = (turnDeps: TurnDeps, turn: Turn, { input$, keep }: TurnPorts): Observable<TurnStep> =>
  defer(() => {
    const deps = { ...turnDeps, ask: askInTurn(turnDeps.ask) };
    let state = initialState(turn);
    const inputs$ = input$.pipe(
      concatMap(toWaiting(deps, turn)), // in their order, also where one has to be read first
      tap((change) => {
        state = { ...state, inputs: change(state.inputs) };
      }),
      ignoreElements(),
    );
    const answers$ = defer(() => {
      const { inputs } = state;
      state = withInputs(state);
      if (inputs.length > 0) keep(state.history);
      return concat(of(...inputs.map(joinedOf(turn))), answer(deps, turn, state));
    }).pipe(
      concatMap((step) => {
        const before = state;
        state = advance(deps, turn, { state, step });
        if (state.history !== before.history) keep(state.history);
        return visibleOf(turn, { step, before, state });
      }),
      repeat(),
    );
    return merge(inputs$, answers$);
  });

const initialState = ({ thread: { history } }: Turn): LoopState => ({
  history,
  sample: FIRST,
  changes: noTurnChanges,
  diff: '',
  inputs: [],
});

/** The answer before is closed, and the inputs that wait follow it. */
const withInputs = (state: LoopState): LoopState => ({
  ...state,
  inputs: [],
  history: closeAnswer(state.history, ...state.inputs.map(({ message }) => message)),
});

const answer = (deps: TurnDeps, turn: Turn, { history, sample }: LoopState): Observable<TurnStep> =>
  defer(() => sampleOnce(deps)(turn, history.past, sample));

/** How an offer changes the inputs that wait. */
const toWaiting =
  ({ readImage }: TurnDeps, { thread }: Turn) =>
  (offer: InputOffer): Observable<(inputs: readonly WaitingInput[]) => readonly WaitingInput[]> => {
    if (offer.kind === 'withdrawn') return of((inputs) => inputs.filter(({ op }) => op.callId !== offer.callId));
    const { op } = offer;
    return toUserMessage(readImage, thread.config.cwd, op.input).pipe(
      map((message) => (inputs) => [...inputs, { op, message }]),
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

type Change = { step: TurnStep; before: LoopState; state: LoopState };

/** What the caller sees of a step: the diff where it has changed, and the end of the turn unless input waits for an answer. */
const visibleOf = (turn: Turn, { step, before, state }: Change): Observable<TurnStep> => {
  switch (step.kind) {
    case 'patched':
      return state.diff === before.diff ? EMPTY : of(diffEvent(turn, state));
    case 'finished':
      return state.inputs.length > 0 ? EMPTY : of(...endOf(turn, step));
    default:
      return of(step);
  }
};

const advance = (
  { turnDiff }: TurnDeps,
  { thread }: Turn,
  { state, step }: Pick<Change, 'state' | 'step'>,
): LoopState => {
  switch (step.kind) {
    case 'sample':
      return { ...state, sample: step };
    case 'finished':
      return { ...state, sample: { ...FIRST, lastMessage: step.message } };
    case 'item':
    case 'output':
      return { ...state, history: addStep(state.history, step) };
    case 'patched': {
      const changes = addPlan(state.changes, step.plan);
      return { ...state, changes, diff: turnDiff(thread.config.cwd)(changes) };
    }
    default:
      return state;
  }
};

/** Sent once per change. Source: Codex 0.28.0 sent it after every answer of the model. */
const diffEvent = (turn: Turn, { diff }: LoopState): Event & { kind: 'event' } =>
  eventOf(turn, { type: 'turn_diff', unified_diff: diff });
