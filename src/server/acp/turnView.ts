/** The turns of a session for its client: the events of the agent as updates. */
import type { SessionUpdate } from '../../protocol/acp/acp';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import { type ChunkKind, type Shown, showTool, type TurnView, unchanged } from './toolView';

/** The view after an event, and the updates that it leads to: of messages here, of the session and of tools below. */
export const showEvent = (view: TurnView, msg: EventMsg): Shown => {
  switch (msg.type) {
    case 'agent_message_delta':
      return showChunk(view, 'agent_message_chunk', { item: msg.item_id, text: msg.delta });
    case 'agent_reasoning_delta':
    case 'agent_reasoning_raw_content_delta':
      return showChunk(view, 'agent_thought_chunk', { item: msg.item_id, text: msg.delta });
    case 'agent_reasoning_section_break':
      return showBreak(view, msg.item_id);
    case 'agent_message':
      return showWhole(view, 'agent_message_chunk', msg.message);
    case 'agent_reasoning':
    case 'agent_reasoning_raw_content':
      return view.open.agent_thought_chunk ? unchanged(view) : showText(view, 'agent_thought_chunk', msg.text);
    case 'warning':
    case 'stream_error':
      return showText(view, 'agent_thought_chunk', msg.message);
    default:
      return showSession(view, msg);
  }
};

const showSession = (view: TurnView, msg: EventMsg): Shown => {
  switch (msg.type) {
    case 'context_compacted':
      return showText(view, 'agent_thought_chunk', 'The conversation was summarized to make room.');
    case 'task_started':
      return unchanged({ ...view, window: msg.model_context_window ?? null });
    case 'token_count':
      return { state: view, output: [toUsage({ window: msg.model_context_window ?? view.window }, msg.total_tokens)] };
    case 'plan_update':
      return { state: view, output: [{ sessionUpdate: 'plan', entries: toEntries(msg) }] };
    default:
      return showTool(view, msg);
  }
};

/** The view after deltas that arrived together; those of one message are one update. */
export const showDeltas = (view: TurnView, msgs: readonly EventMsg[]): Shown =>
  msgs.reduce<Shown & { output: SessionUpdate[] }>(
    ({ state, output }, msg) => {
      const next = showEvent(state, msg);
      for (const update of next.output) join(output, update);
      return { state: next.state, output };
    },
    { state: view, output: [] },
  );

/** Appends an update in place; a chunk of the message that came last becomes a part of it. */
const join = (updates: SessionUpdate[], update: SessionUpdate): void => {
  const last = updates.at(-1);
  const isSame = last && 'messageId' in last && 'messageId' in update && last.messageId === update.messageId;
  if (!isSame || last.content.type !== 'text' || update.content.type !== 'text') updates.push(update);
  else
    updates[updates.length - 1] = {
      ...last,
      content: { ...last.content, text: last.content.text + update.content.text },
    };
};

type Chunk = { item: string; text: string };

const showChunk = (view: TurnView, kind: ChunkKind, { item, text }: Chunk): Shown => {
  const open = view.open[kind];
  const isSame = open?.item === item;
  const messages = view.messages + (isSame ? 0 : 1);
  const id = isSame ? open.id : `${view.prefix}.${messages}`;
  const others = kind === 'agent_message_chunk' ? {} : view.open; // a thought ends where the agent speaks
  return {
    state: { ...view, messages, open: { ...others, [kind]: { item, id } } },
    output: [{ sessionUpdate: kind, messageId: id, content: { type: 'text', text } }],
  };
};

/** A break comes before the first part of a thought too, which has nothing to be parted from. */
const showBreak = (view: TurnView, item: string): Shown =>
  view.open.agent_thought_chunk?.item === item
    ? showChunk(view, 'agent_thought_chunk', { item, text: '\n\n' })
    : unchanged(view);

/** A text that comes at once. */
export const showText = (view: TurnView, kind: ChunkKind, text: string): Shown => {
  const { open } = view;
  const { state, output } = showChunk({ ...view, open: {} }, kind, { item: '', text });
  return { state: { ...state, open }, output: text === '' ? [] : output };
};

/** A message that is complete. If its chunks were sent before, nothing is left to send. */
const showWhole = (view: TurnView, kind: ChunkKind, text: string): Shown =>
  view.open[kind] ? unchanged({ ...view, open: {} }) : showText({ ...view, open: {} }, kind, text);

/** What Codex assumes of a model that it does not know. Source: codex-rs/models-manager/src/model_info.rs, fallback metadata. */
const UNKNOWN_WINDOW = 272_000;

/** How much of the context is used. */
export const toUsage = ({ window }: Pick<TurnView, 'window'>, used: number): SessionUpdate => ({
  sessionUpdate: 'usage_update',
  used,
  size: window ?? UNKNOWN_WINDOW,
});

const toEntries = ({ plan }: Extract<EventMsg, { type: 'plan_update' }>) =>
  plan.map(({ step, status }) => ({ content: step, priority: 'medium' as const, status }));
