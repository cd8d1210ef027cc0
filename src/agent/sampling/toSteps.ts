/** The steps of a turn that follow from the events of its model. */
import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { CodexEvent, Event } from '../../protocol/codex/events';
import type { ModelDelta, ModelEvent } from '../../protocol/model/events';
import type { ResponseItem, ToolCallItem } from '../../protocol/model/items';
import { eventOf, outputOf, type Turn, type TurnStep } from '../thread/steps';
import { turnDeltas } from '../turns/turnEvents';

/** One delta of a model, or several that arrived together. */
export type Deltas = ModelDelta | Extract<ModelEvent, { kind: 'deltas' }>;

/** The events of a delta, or of several; none for raw reasoning if the configuration does not show it. */
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

/** The steps of a complete item, of the end of an answer, or of what the provider does; a call itself is run elsewhere. */
export const toSteps = (turn: Turn, event: Whole | DoubledCall): TurnStep[] => {
  switch (event.kind) {
    case 'broken':
    case 'sampling':
    case 'nothing':
      return [event];
    case 'doubled':
      return [{ kind: 'item', item: event.item }, outputOf(event.item, doubledText(event.call_id))];
    case 'completed':
      return event.usage === null ? [] : [{ kind: 'usage', usage: event.usage }];
    case 'search':
      return [eventOf(turn, toSearchMsg(event)), ...(event.query === undefined ? [] : [SEARCHED])];
    case 'unknown':
      return [eventOf(turn, { type: 'warning', message: leftOut(event.type), item_type: event.type }), event];
    case 'item':
      return [...toItemEvents(turn, event.item), { kind: 'item', item: event.item }];
  }
};

const doubledText = (call_id: string): string =>
  `err: this answer has another call with the id ${call_id}, which runs; this one does not. Use a new id for each call.`;

/** A search without a message after it is not an answer. */
const SEARCHED: TurnStep = { kind: 'unknown', type: 'web_search_call' };

const toSearchMsg = ({ callId: call_id, query }: Extract<Whole, { kind: 'search' }>): EventMsg =>
  query === undefined ? { type: 'web_search_begin', call_id } : { type: 'web_search_end', call_id, query };

const leftOut = (type: string): string =>
  `The model sent an item of the type ${type}, which is not known here, or lacks a part. It was left out.`;

/** An event of a model that is not a delta, or the end of an answer that broke off. */
export type Whole = Exclude<ModelEvent, Deltas> | Extract<TurnStep, { kind: 'broken' | 'sampling' }>;

/** A call under an id that another call of the answer has; `item` has an id of its own. `call_id` is the repeated one. */
export type DoubledCall = { kind: 'doubled'; item: ToolCallItem; call_id: string };
