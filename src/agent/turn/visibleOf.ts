/** What the caller sees of the steps of a turn. */
import type { CodexEvent, Event } from '../../protocol/codex/events';
import type { TokenUsage } from '../../protocol/model/events';
import { compactedEvent } from '../compaction/compact';
import { endOf, eventOf, type Turn, type TurnStep } from '../thread/steps';
import type { Change, LoopState } from './loopState';

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
