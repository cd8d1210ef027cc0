/** What the events of a model are to the client. */
import type { CodexEvent } from '../protocol/codex';
import type { ModelEvent, ResponseItem } from '../protocol/model';
import { eventOf, type Turn } from './steps';

/** A part of an item that is still being made. */
export type ModelDelta = Extract<ModelEvent, { delta: string } | { kind: 'reasoningBreak' }>;

/** The event of a delta. */
export const toDelta = (turn: Turn, event: ModelDelta): CodexEvent => {
  const item_id = event.itemId;
  switch (event.kind) {
    case 'text':
      return eventOf(turn, { type: 'agent_message_delta', delta: event.delta, item_id });
    case 'reasoning':
      return eventOf(turn, { type: 'agent_reasoning_delta', delta: event.delta, item_id });
    case 'rawReasoning':
      return eventOf(turn, { type: 'agent_reasoning_raw_content_delta', delta: event.delta, item_id });
    case 'reasoningBreak':
      return eventOf(turn, { type: 'agent_reasoning_section_break', item_id });
  }
};

/** The events of a whole item; calls have events of their own, made by what runs them. */
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

/** What a message says, part by part. */
export const textsOf = (item: ResponseItem): string[] =>
  item.type === 'message' ? item.content.flatMap((part) => (part.type === 'output_text' ? [part.text] : [])) : [];
