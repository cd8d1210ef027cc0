/** Translates events of a model into events for the client. */

import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { CodexEvent, Event } from '../../protocol/codex/events';
import type { ModelDelta, ModelEvent } from '../../protocol/model/events';
import type { ResponseItem } from '../../protocol/model/items';
import { eventOf, type Turn } from '../thread/steps';
import { turnDeltas } from '../turns/turnEvent';

/** One delta of a model, or several that arrived together. */
export type Deltas = ModelDelta | Extract<ModelEvent, { kind: 'deltas' }>;

/** The events of a delta, or of several; none for raw reasoning where the configuration does not show it. */
export const toDeltaEvents = (turn: Turn, event: Deltas): Event[] => {
  const { op, thread, turnId } = turn;
  const isShown = ({ kind }: ModelDelta) => kind !== 'rawReasoning' || thread.config.showRawReasoning;
  if (event.kind !== 'deltas') return isShown(event) ? [eventOf(turn, toDeltaMsg(event))] : [];
  const msgs: EventMsg[] = [];
  for (const delta of event.deltas) if (isShown(delta)) msgs.push(toDeltaMsg(delta));
  return msgs.length === 0 ? [] : [turnDeltas({ op, threadId: thread.id, turnId }, msgs)];
};

const toDeltaMsg = (event: ModelDelta): EventMsg => {
  const item_id = event.itemId;
  switch (event.kind) {
    case 'text':
      return { type: 'agent_message_delta', delta: event.delta, item_id };
    case 'reasoning':
      return { type: 'agent_reasoning_delta', delta: event.delta, item_id };
    case 'rawReasoning':
      return { type: 'agent_reasoning_raw_content_delta', delta: event.delta, item_id };
    case 'reasoningBreak':
      return { type: 'agent_reasoning_section_break', item_id };
  }
};

/** The events of a complete item; calls have their own events, emitted by what runs them. */
export const toItemEvents = (turn: Turn, item: ResponseItem): CodexEvent[] => {
  if (item.type === 'message') return textsOf(item).map((message) => eventOf(turn, { type: 'agent_message', message }));
  if (item.type !== 'reasoning') return [];
  return [
    ...item.summary.map(({ text }) => eventOf(turn, { type: 'agent_reasoning', text })),
    ...(turn.thread.config.showRawReasoning ? (item.content ?? []) : []).map(({ text }) =>
      eventOf(turn, { type: 'agent_reasoning_raw_content', text }),
    ),
  ];
};

/** The text of a message, part by part. */
export const textsOf = (item: ResponseItem): string[] =>
  item.type === 'message' ? item.content.flatMap((part) => (part.type === 'output_text' ? [part.text] : [])) : [];
