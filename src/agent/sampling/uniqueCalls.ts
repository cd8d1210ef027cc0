/** Makes the ids of the calls in an answer unique, where a model used one twice. */
import type { OperatorFunction } from 'rxjs';
import type { ModelEvent } from '../../protocol/model/events';
import type { ToolCallItem } from '../../protocol/model/items';
import { gather } from '../../streams/gather';
import { isCall } from '../thread/history';
import type { TurnStep } from '../thread/steps';
import type { Deltas } from './toEvents';

/** An event of a model that is not a delta, or the end of an answer that broke off. */
export type Whole = Exclude<ModelEvent, Deltas> | Extract<TurnStep, { kind: 'broken' | 'sampling' }>;

/** A call under an id that another call of the answer has; `item` has an id of its own. `call_id` is the repeated one. */
export type DoubledCall = { kind: 'doubled'; item: ToolCallItem; call_id: string };

/**
 * Marks each call whose id the answer has used before, and gives it another id, because a provider refuses a history with two outputs
 * for one id.
 *   in   -a-b-a-|     (a, b calls by their ids)
 *   out  -a-b-D-|     (D the doubled call)
 */
export const uniqueCalls = (): OperatorFunction<Deltas | Whole, Deltas | Whole | DoubledCall> =>
  gather(() => {
    const ids = new Set<string>(); // of the calls so far; grows with each call, as a copy for each would cost more than the calls
    return {
      next: (event, emit) => {
        if (event.kind !== 'item' || !isCall(event.item)) return emit(event);
        const { call_id } = event.item;
        const own = unusedId(ids, call_id);
        ids.add(own);
        emit(own === call_id ? event : { kind: 'doubled', item: { ...event.item, call_id: own }, call_id });
      },
    };
  });

/** The id itself, or with the first number appended that makes it unused. */
const unusedId = (ids: ReadonlySet<string>, id: string): string => {
  if (!ids.has(id)) return id;
  for (let number = 2; ; number += 1) {
    const candidate = `${id}_${number}`;
    if (!ids.has(candidate)) return candidate;
  }
};
