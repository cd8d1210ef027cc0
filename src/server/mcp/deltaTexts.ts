/** The messages of deltas that came together, as JSON text. */

import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { DeltaEvents } from '../../protocol/codex/events';
import { toJson } from '../../protocol/jsonrpc/toJson';

/** What a message is to the client. */
type ToShown = (msg: EventMsg) => object;

/** Messages that follow each other: the JSON text of each is one of `values`, between what all begin and end with. */
export type DeltaTexts = { head: string; values: readonly string[]; tail: string };

const EMPTY_DELTA = '"delta":""';
const WHOLE = { head: '', tail: '' };

/**
 * All messages, in their order. Deltas of one message differ in their delta alone, so that only this is encoded: a long answer is thousands
 * of them.
 */
export const deltaTexts = (msgs: DeltaEvents['msgs'], toShown: ToShown): DeltaTexts[] => {
  const runs: Run[] = [];
  for (const msg of msgs) {
    const itemId = msg.type === 'agent_message_delta' ? msg.item_id : undefined;
    let run = runs.at(-1);
    if (run === undefined || run.itemId !== itemId) {
      run = {
        itemId,
        values: [],
        ...(itemId === undefined ? WHOLE : frameOf({ ...msg, delta: '' } as Delta, toShown)),
      };
      runs.push(run);
    }
    run.values.push(msg.type === 'agent_message_delta' ? JSON.stringify(msg.delta) : toJson(toShown(msg)));
  }
  return runs;
};

type Delta = Extract<EventMsg, { type: 'agent_message_delta' }>;

/** `itemId` of deltas of a message; undefined for everything else, which always arrives whole. */
type Run = DeltaTexts & { values: string[]; itemId: string | undefined };

/** Quotes within a string are escaped, so the text of an empty delta stands where the member is. */
const frameOf = (empty: Delta, toShown: ToShown): Omit<DeltaTexts, 'values'> => {
  const text = toJson(toShown(empty));
  const at = text.indexOf(EMPTY_DELTA) + EMPTY_DELTA.length - 2;
  return { head: text.slice(0, at), tail: text.slice(at + 2) };
};
