/** What one answer of the model leaves to the next, within a turn. */
import { EMPTY, type Observable, of } from 'rxjs';
import { addPlan, noTurnChanges, type TurnChanges } from '../patch';
import type { Event, TurnOp } from '../protocol/codex';
import type { ResponseItem } from '../protocol/model';
import { type Budget, tokensOf } from './budget';
import { compactedEvent } from './compact';
import { toMessage } from './context';
import { cutOutputs } from './cutOutputs';
import { addStep, closeAnswer, type History } from './history';
import { endOf, eventOf, type Sample, type Turn, type TurnStep } from './steps';
import type { TurnDeps } from './turnDeps';

/** An input that waits for the next request to the model, as the message that it becomes. */
export type WaitingInput = { op: TurnOp; message: ResponseItem };

/**
 * What one answer leaves to the next. `diff` is the last one that was sent. `added`: what the model is shown behind the outputs.
 * `isAskedAgain`: the answer before had neither a message nor a call. `compaction`: `due` where the model refused the conversation for
 * its length, `done` since then, or since it was found too long, until the model has answered.
 */
export type LoopState = {
  history: History;
  sample: Sample;
  changes: TurnChanges;
  diff: string;
  inputs: readonly WaitingInput[];
  added: readonly ResponseItem[];
  isAskedAgain: boolean;
  compaction: 'none' | 'due' | 'done';
};

const FIRST: Sample = { kind: 'sample', attempt: 0, lastMessage: null };

/** The state of a turn that begins. */
export const initialState = ({ thread: { history } }: Turn): LoopState => ({
  history,
  sample: FIRST,
  changes: noTurnChanges,
  diff: '',
  inputs: [],
  added: [],
  isAskedAgain: false,
  compaction: 'none',
});

/** The answer before is closed, and the inputs that wait follow it. */
export const withInputs = (state: LoopState): LoopState => ({
  ...state,
  inputs: [],
  added: [],
  history: closeAnswer(state.history, ...state.added, ...state.inputs.map(({ message }) => message)),
});

/**
 * The state before a request: where the conversation is over the budget, the outputs of old calls are cut, those of the last calls not.
 */
export const withoutOldOutputs = (state: LoopState, { limitTokens }: Budget): LoopState => {
  const { past } = state.history;
  const cut = cutOutputs(past, limitTokens, KEPT_OUTPUTS);
  return cut === past ? state : { ...state, history: { ...state.history, past: cut } };
};

const KEPT_OUTPUTS = 4;

/** True where the conversation must be replaced by its summary before the model is asked. */
export const isTooLong = ({ compaction, history }: LoopState, { limitTokens }: Budget): boolean =>
  compaction === 'due' || (compaction === 'none' && tokensOf(history.past) > limitTokens);

/** A step, with the state before it and after it. */
export type Change = { step: TurnStep; before: LoopState; state: LoopState };

/** What the caller sees of a step: the diff where it has changed, and the end of the turn unless input waits for an answer. */
export const visibleOf = (turn: Turn, { step, before, state }: Change): Observable<TurnStep> => {
  switch (step.kind) {
    case 'patched':
      return state.diff === before.diff ? EMPTY : of(diffEvent(turn, state));
    case 'unanswered':
      return before.isAskedAgain ? of(...endOf(turn, { kind: 'failed', message: noAnswer(step.types) })) : EMPTY;
    case 'compacted':
      return of(compactedEvent(turn));
    case 'tooLong':
      return before.compaction === 'done' ? of(...endOf(turn, { kind: 'failed', message: step.message })) : EMPTY;
    case 'image':
    case 'unknown':
      return EMPTY;
    case 'finished':
      return state.inputs.length > 0 ? EMPTY : of(...endOf(turn, step));
    default:
      return of(step);
  }
};

/** The state after a step. */
export const advance = (
  { turnDiff }: Pick<TurnDeps, 'turnDiff'>,
  { thread }: Turn,
  { state, step }: Pick<Change, 'state' | 'step'>,
): LoopState => {
  switch (step.kind) {
    case 'sample':
      return { ...state, sample: step, isAskedAgain: false, ...(step.attempt === 0 && { compaction: 'none' }) };
    case 'unanswered':
      return {
        ...state,
        sample: { ...FIRST, lastMessage: step.message },
        isAskedAgain: true,
        added: [noteOf(step.types)],
      };
    case 'compacted':
      return { ...state, compaction: 'done', history: { ...state.history, past: step.past } };
    case 'tooLong':
      return { ...state, compaction: 'due' };
    case 'image':
      return { ...state, added: [...state.added, pictureOf(step.url)] };
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

const pictureOf = (image_url: string): ResponseItem => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_image', image_url }],
});

/** What the model reads after an answer that leads nowhere. */
const noteOf = (types: readonly string[]): ResponseItem =>
  toMessage(
    'user',
    `Your answer had neither a message nor a call of a tool, only ${types.join(', ')}. Answer with a message, or call one of the tools.`,
  );

const noAnswer = (types: readonly string[]): string =>
  `The model gave no answer: twice it sent only ${types.join(', ')}, neither a message nor a call of a tool. Try again, or choose another model.`;

/** Sent once per change. Source: Codex 0.28.0 sent it after every answer of the model. */
const diffEvent = (turn: Turn, { diff }: LoopState): Event & { kind: 'event' } =>
  eventOf(turn, { type: 'turn_diff', unified_diff: diff });
