/** What one answer of the model passes on to the next, within a turn. */
import { addPlan, noTurnChanges, type TurnChanges } from '../../executor/patch/turnChanges';
import type { CodexEvent, Event } from '../../protocol/codex/events';
import type { TurnOp } from '../../protocol/codex/operations';
import { addUsage } from '../../protocol/codex/usage';
import { toJson } from '../../protocol/jsonrpc/json';
import type { TokenUsage } from '../../protocol/model/events';
import { imageMessage, type ResponseItem } from '../../protocol/model/items';
import { EMPTY_ANSWER_MARK } from '../../threads/lines/prompts';
import { type Budget, budgetOf, takeMoreThan, tokensOf } from '../compaction/budget';
import { compactedEvent } from '../compaction/compact';
import { cutOutputs } from '../compaction/cutOutputs';
import { toMessage } from '../thread/context';
import { addStep, type Counted, closeAnswer, type History, replacedPast } from '../thread/history';
import { endOf, eventOf, type Sample, type Turn, type TurnStep } from '../thread/steps';
import { whyOver } from '../turns/bounds';

/** An input that waits for the next request to the model, as the message it becomes. */
export type WaitingInput = { op: TurnOp; message: ResponseItem };

/** What one answer passes on to the next. */
export type LoopState = {
  history: History;
  sample: Sample;
  /** Of files, by the patches of the turn. */
  changes: TurnChanges;
  /** Of these changes, as it was last sent. */
  diff: string;
  /** In the order in which they came. */
  inputs: readonly WaitingInput[];
  /** What the model is shown after the outputs. */
  added: readonly ResponseItem[];
  /** The previous answer had neither a message nor a call. */
  isAskedAgain: boolean;
  /** `due` if the model refused the conversation because of its length; `done` from its summary until the model has answered. */
  compaction: 'none' | 'due' | 'done';
  /** The conversation was replaced in this turn, and is as long as before by the count of the provider: its instructions or tools are. */
  isShortened: boolean;
  /** What the turn has cost so far. */
  usage?: TokenUsage;
  /** How often the model was asked; an answer that broke off and its repetition count once. */
  rounds: number;
  /** The calls of the answer in progress: the refused calls as texts, and whether any other was done. */
  calls: { refused: readonly string[]; isAnyDone: boolean };
  /** The refused calls of the last answer, and how many answers in a row made just these; none if another call was done. */
  repeated: { calls: string; times: number };
};

const NO_CALLS: LoopState['calls'] = { refused: [], isAnyDone: false };

/** A model that makes the same call again, although it was refused, would do so for ever. A command that runs may be repeated: it may poll something. */
const MAX_REPEATED = 5;

const FIRST: Sample = { kind: 'sample', attempt: 0, lastMessage: null };

/** The state at the beginning of a turn. */
export const initialState = ({ thread: { history } }: Turn): LoopState => ({
  history,
  sample: FIRST,
  changes: noTurnChanges,
  diff: '',
  inputs: [],
  added: [],
  isAskedAgain: false,
  compaction: 'none',
  isShortened: false,
  rounds: 0,
  calls: NO_CALLS,
  repeated: { calls: '', times: 0 },
});

/** The state before a request: the previous answer is closed, and the waiting inputs follow it. */
export const withInputs = (state: LoopState): LoopState => ({
  ...state,
  rounds: state.rounds + (state.sample.attempt === 0 ? 1 : 0),
  inputs: [],
  added: [],
  history: closeAnswer(state.history, ...state.added, ...state.inputs.map(({ message }) => message)),
});

/** The state before a request: if the conversation is over the budget, the outputs of old calls are cut, but not the last few. */
export const withoutOldOutputs = (state: LoopState, budget: Budget): LoopState => {
  const { past, counted, ...history } = state.history;
  const { items, maxTokens } = measureOf(state, budget);
  if (!takeMoreThan(items, maxTokens)) return state;
  const rest = items === past ? 0 : tokensOf(past) - tokensOf(items);
  const cut = cutOutputs(past, rest + maxTokens, KEPT_OUTPUTS);
  if (counted === undefined || !isPlausible(counted, past)) return { ...state, history: { ...history, past: cut } };
  const tokens = counted.tokens - tokensOf(past) + tokensOf(cut);
  return { ...state, history: { ...history, past: cut, counted: { ...counted, tokens } } };
};

/** Which items of a conversation are estimated, and what they may take: what came after the provider's own count, or all of it. */
const measureOf = ({ history: { past, counted }, isShortened }: LoopState, budget: Budget) =>
  counted === undefined || isShortened || !isPlausible(counted, past)
    ? { items: past, maxTokens: budget.limitTokens }
    : { items: past.slice(counted.upTo), maxTokens: budget.countedTokens - counted.tokens };

const KEPT_OUTPUTS = 4;

/** Some servers count only what they have not cached, or report a constant: the estimate is never ten times too high. */
const isPlausible = ({ tokens, upTo }: Counted, past: readonly ResponseItem[]): boolean =>
  !takeMoreThan(past.slice(0, upTo), tokens * 10);

/** True if the conversation must be replaced by its summary before the model is asked. */
export const isTooLong = (state: LoopState, budget: Budget): boolean => {
  if (state.compaction !== 'none') return state.compaction === 'due';
  const { items, maxTokens } = measureOf(state, budget);
  return takeMoreThan(items, maxTokens);
};

/** A step, with the state before it and after it. */
type Change = { step: TurnStep; before: LoopState; state: LoopState };

/** The next state after a step. */
export const advance = ({ thread }: Turn, { state, step }: Pick<Change, 'state' | 'step'>): LoopState => {
  switch (step.kind) {
    case 'event':
      return withCost(thread, state, step);
    case 'sample':
      return { ...state, sample: step, isAskedAgain: false, ...(step.attempt === 0 && afterCalls(state)) };
    case 'unanswered':
      return askedAgain(state, step);
    case 'compacted':
      return { ...state, compaction: 'done', isShortened: true, history: replacedPast(state.history, step.past) };
    case 'tooLong':
      return { ...state, compaction: 'due' };
    case 'image':
      return { ...state, added: [...state.added, imageMessage(step.url)] };
    case 'finished':
      return { ...state, sample: { ...FIRST, lastMessage: step.message }, isAskedAgain: false, compaction: 'none' };
    case 'item':
      return { ...state, history: addStep(state.history, step) };
    case 'output':
      return { ...state, history: addStep(state.history, step), calls: withCall(state.calls, step) };
    case 'patched':
      return withChanges(state, addPlan(state.changes, step.plan), thread.workspace.turnDiff);
    default:
      return state;
  }
};

const withCall = (calls: LoopState['calls'], { call, isRefused }: Extract<TurnStep, { kind: 'output' }>) =>
  isRefused
    ? { ...calls, refused: [...calls.refused, toJson({ ...call, call_id: '', id: '' })] }
    : { ...calls, isAnyDone: true };

/** The state after an answer with calls. */
const afterCalls = ({ calls: { refused, isAnyDone }, repeated }: LoopState) => {
  const calls = isAnyDone ? '' : refused.join('\n');
  const times = calls === '' ? 0 : calls === repeated.calls ? repeated.times + 1 : 1;
  return { compaction: 'none', calls: NO_CALLS, repeated: { calls, times } } as const;
};

/** Why the model is not asked again, before a request; undefined if it is. */
export const whyNotAsked = (
  { thread: { config } }: Turn,
  { rounds, usage: turn, history }: LoopState,
): ReturnType<typeof whyOver> =>
  whyOver(config, {
    rounds,
    commands: 0,
    usage: { ...(turn && { turn }), ...(history.usage && { thread: history.usage }) },
  });

const withChanges = (state: LoopState, changes: TurnChanges, diffOf: (changes: TurnChanges) => string): LoopState => ({
  ...state,
  changes,
  diff: diffOf(changes),
});

const withCost = ({ config }: Turn['thread'], state: LoopState, { msg }: CodexEvent): LoopState => {
  if (msg.type !== 'token_count') return state;
  const { history } = state;
  const tokens = Math.max(msg.total_tokens, msg.input_tokens + msg.output_tokens);
  return {
    ...state,
    isShortened: state.isShortened && tokens > budgetOf(config).countedTokens,
    usage: addUsage(state.usage, msg),
    history: { ...history, usage: addUsage(history.usage, msg), ...(tokens > 0 && { counted: { tokens } }) },
  };
};

/** Asks the model once more, with a note. */
const askedAgain = (state: LoopState, { types, message }: Extract<TurnStep, { kind: 'unanswered' }>): LoopState => ({
  ...state,
  sample: { ...FIRST, lastMessage: message },
  isAskedAgain: true,
  added: [noteOf(types)],
});

/** What the model reads after an answer without a message or a call. */
const noteOf = (types: readonly string[]): ResponseItem =>
  toMessage('user', `${EMPTY_ANSWER_MARK}, only ${types.join(', ')}. Answer with a message, or call one of the tools.`);

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
    case 'sample':
      return state.repeated.times < MAX_REPEATED ? [] : endOf(turn, { kind: 'failed', message: REPEATED });
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

const REPEATED = `The turn was stopped: the model made the same call ${MAX_REPEATED} times in a row, although it was refused each time. Say in another way what it is to do, by codex-reply, or choose another model.`;

const noAnswer = (types: readonly string[]): string =>
  `The model gave no answer: twice it sent only ${types.join(', ')}, neither a message nor a tool call. Try again, or choose another model.`;

/** Sent once per change. Source: Codex 0.28.0 sent it after every answer of the model. */
const diffEvent = (turn: Turn, { diff }: LoopState): Event & { kind: 'event' } =>
  eventOf(turn, { type: 'turn_diff', unified_diff: diff });
