/** Reads the events of a stream that differ only in their delta, without parsing each. */
import { isModelDelta, type ModelDelta, type ModelEvent } from '../../../protocol/model/events';

/** The event of one piece of JSON text; undefined for a text that is none. */
type Read = (data: string) => ModelEvent | undefined;

/** The JSON before and after the delta of the last event, and that event. It is proven once a probe in place of the delta has changed nothing else. */
type Frame = { head: string; tail: string; event: TextDelta; isProven: boolean };
type TextDelta = Extract<ModelDelta, { delta: string }>;

const KEY = '"delta":"';
const PROBE = 'a delta that no model sends';

/** The end of a string, an escape, or a character that JSON does not allow in a string. */
const NEEDS_PARSING = /["\\\u0000-\u001f]/;

/**
 * Wraps `read` for the events of one stream, in order; the results are the same. A long answer is thousands of deltas, and many servers
 * repeat the same JSON around each. Once `read` has read a probe in place of the delta, deltas in that frame are cut out instead of parsed.
 * An event in another frame, or a delta with escapes, goes to `read`.
 */
export const readRepeated = (read: Read): Read => {
  let frame: Frame | undefined;
  const repeats = ({ head, tail, event, isProven }: Frame): boolean =>
    isProven || isProof(event, read(`${head}${PROBE}${tail}`));
  return (data) => {
    const delta = frame && deltaWithin(frame, data);
    if (frame && delta !== undefined && repeats(frame)) {
      frame.isProven = true;
      return { kind: frame.event.kind, itemId: frame.event.itemId, delta };
    }
    const event = read(data);
    frame = event && isModelDelta(event) && event.kind !== 'reasoningBreak' ? toFrame(data, event) : undefined;
    return event;
  };
};

const deltaWithin = ({ head, tail }: Frame, data: string): string | undefined => {
  if (data.length < head.length + tail.length || !data.startsWith(head) || !data.endsWith(tail)) return undefined;
  const delta = data.slice(head.length, data.length - tail.length);
  return NEEDS_PARSING.test(delta) ? undefined : delta;
};

/** A parser is in the same state after the same text, so what holds for one string in this position holds for all. */
const isProof = (event: TextDelta, probed: ModelEvent | undefined): boolean =>
  probed?.kind === event.kind && probed.itemId === event.itemId && probed.delta === PROBE;

const toFrame = (data: string, event: TextDelta): Frame | undefined => {
  const at = data.indexOf(KEY) + KEY.length;
  if (!data.startsWith(event.delta, at)) return undefined;
  return { head: data.slice(0, at), tail: data.slice(at + event.delta.length), event, isProven: false };
};
