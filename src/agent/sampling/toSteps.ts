/** What an event of the model means to the caller and to the history of the thread. */
import type { EventMsg } from '../../protocol/codex/eventMsg';
import { eventOf, outputOf, type Turn, type TurnStep } from '../thread/steps';
import { toItemEvents } from './toEvents';
import type { DoubledCall, Whole } from './uniqueCalls';

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

/** A search with no message after it is not an answer. */
const SEARCHED: TurnStep = { kind: 'unknown', type: 'web_search_call' };

const toSearchMsg = ({ callId: call_id, query }: Extract<Whole, { kind: 'search' }>): EventMsg =>
  query === undefined ? { type: 'web_search_begin', call_id } : { type: 'web_search_end', call_id, query };

const leftOut = (type: string): string =>
  `The model sent an item of the type ${type}, which is not known here, or lacks a part. It was left out.`;
