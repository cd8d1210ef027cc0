/** The messages of deltas that came together, as JSON text. */
import type { DeltaEvents, EventMsg } from '../../protocol/codex';
import { toJson } from '../../protocol/jsonrpc';

/** What a message is to the client. */
type ToShown = (msg: EventMsg) => object;

/** The text around the delta of such messages, and the one that it was made of. */
type Frame = { of: Delta; before: string; after: string };
type Delta = Extract<EventMsg, { type: 'agent_message_delta' }>;

const EMPTY_DELTA = '"delta":""';

/**
 * As `toJson` of each. Deltas of a message that follow each other differ in their delta alone, so that only this is encoded: a long answer
 * is thousands of them, and takes half the time so.
 */
export const deltaTexts = (msgs: DeltaEvents['msgs'], toShown: ToShown): readonly string[] => {
  let frame: Frame | undefined;
  return msgs.map((msg) => {
    if (msg.type !== 'agent_message_delta') return toJson(toShown(msg));
    if (frame?.of.item_id !== msg.item_id) frame = frameOf(msg, toShown);
    return frame.before + JSON.stringify(msg.delta) + frame.after;
  });
};

/** Quotes within a string are escaped, so the text of an empty delta stands where the member is. */
const frameOf = (of: Delta, toShown: ToShown): Frame => {
  const text = toJson(toShown({ ...of, delta: '' }));
  const at = text.indexOf(EMPTY_DELTA) + EMPTY_DELTA.length - 2;
  return { of, before: text.slice(0, at), after: text.slice(at + 2) };
};
