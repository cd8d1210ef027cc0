/** The items of a turn in 0.153: the input, reasoning, messages. Source: tapes v142-codex-happy, v142-error-cut-retry. */
import type { EventMsg, TurnItem } from '../../protocol/codex/eventMsg';
import { textOf } from '../../protocol/codex/input';
import type { AddDeps, Added, OpenItem, Turn0153 } from './turn0153';

type Of<T extends EventMsg['type']> = Extract<EventMsg, { type: T }>;

const started = (deps: AddDeps, item: TurnItem): EventMsg => ({
  type: 'item_started',
  item,
  started_at_ms: deps.now(),
});
const completed = (deps: AddDeps, item: TurnItem): EventMsg => ({
  type: 'item_completed',
  item,
  completed_at_ms: deps.now(),
});

/** The input of a turn, as an item and as `user_message`. */
export const addUserMessage = (deps: AddDeps, { input }: Turn0153): EventMsg[] => {
  const message = textOf(input);
  const item: TurnItem = {
    type: 'UserMessage',
    id: deps.newId(),
    content: [{ type: 'text', text: message, text_elements: [] }],
  };
  const images = input.flatMap((one) => (one.type === 'image' ? [one.url] : []));
  const local_images = input.flatMap((one) => (one.type === 'localImage' ? [one.path] : []));
  return [
    started(deps, item),
    completed(deps, item),
    { type: 'user_message', message, images, local_images, text_elements: [] },
  ];
};

const agentMessage = (id: string, text: string): TurnItem => ({
  type: 'AgentMessage',
  id,
  content: [{ type: 'Text', text }],
});

const reasoningItem = (id: string, summary_text: readonly string[]): TurnItem => ({
  type: 'Reasoning',
  id,
  summary_text,
  raw_content: [],
});

/** A delta of a message: the first one starts the item. */
export const addTextDelta = (deps: AddDeps, turn: Turn0153, msg: Of<'agent_message_delta'>): Added => {
  if (turn.message?.id === msg.item_id) return { turn, msgs: [msg] };
  const message = { id: msg.item_id, sections: [] };
  return { turn: { ...turn, message }, msgs: [started(deps, agentMessage(msg.item_id, '')), msg] };
};

/** A whole message completes its item, which began with its first delta, or begins now. */
export const addMessage = (deps: AddDeps, turn: Turn0153, msg: Of<'agent_message'>): Added => {
  const id = turn.message?.id ?? deps.newId();
  const begun = turn.message === undefined ? [started(deps, agentMessage(id, ''))] : [];
  return {
    turn: { ...turn, message: undefined },
    msgs: [...begun, completed(deps, agentMessage(id, msg.message)), msg],
  };
};

type ReasoningDelta = Of<
  'agent_reasoning_delta' | 'agent_reasoning_section_break' | 'agent_reasoning_raw_content_delta'
>;

/** A delta of reasoning, with the part of the summary that it belongs to. */
export const addReasoningDelta = (deps: AddDeps, turn: Turn0153, msg: ReasoningDelta): Added => {
  const isOpen = turn.reasoning?.id === msg.item_id;
  const open: OpenItem = isOpen && turn.reasoning ? turn.reasoning : { id: msg.item_id, sections: [] };
  const sections = sectionsAfter(open.sections, msg);
  const begun = isOpen ? [] : [started(deps, reasoningItem(msg.item_id, []))];
  const shown =
    msg.type === 'agent_reasoning_raw_content_delta'
      ? msg
      : { ...msg, summary_index: Math.max(0, sections.length - 1) };
  return { turn: { ...turn, reasoning: { ...open, sections }, partsLeft: 0 }, msgs: [...begun, shown] };
};

const sectionsAfter = (sections: readonly string[], msg: ReasoningDelta): readonly string[] => {
  switch (msg.type) {
    case 'agent_reasoning_section_break':
      return [...sections, ''];
    case 'agent_reasoning_delta':
      return [...sections.slice(0, -1), `${sections.at(-1) ?? ''}${msg.delta}`];
    default:
      return sections;
  }
};

/** A whole part of reasoning; the first one completes the item. */
export const addReasoning = (deps: AddDeps, turn: Turn0153, msg: Of<'agent_reasoning'>): Added => {
  if (turn.partsLeft > 0) return { turn: { ...turn, partsLeft: turn.partsLeft - 1 }, msgs: [msg] };
  const { id, sections } = turn.reasoning ?? { id: deps.newId(), sections: [] };
  const parts = sections.length === 0 ? [msg.text] : sections;
  const begun = turn.reasoning === undefined ? [started(deps, reasoningItem(id, []))] : [];
  return {
    turn: { ...turn, reasoning: undefined, partsLeft: parts.length - 1 },
    msgs: [...begun, completed(deps, reasoningItem(id, parts)), msg],
  };
};
