/** Reads the events of a stream that differ in their delta alone without parsing each. */
import { isModelDelta, type ModelDelta, type ModelEvent } from '../protocol/model';

/** The event of one piece of JSON text; undefined for what is none. */
type Read = (data: string) => ModelEvent | undefined;

/** What stood around the delta of the last event. Proven once another delta in its place was seen to change nothing but the delta. */
type Frame = { head: string; tail: string; event: TextDelta; isProven: boolean };
type TextDelta = Extract<ModelDelta, { delta: string }>;

const KEY = '"delta":"';
const PROBE = 'a delta that no model sends';

/** What a JSON string cannot hold as it is, or reads otherwise than it is written. */
const NEEDS_PARSING = /["\\\u0000-\u001f]/;

/**
 * As `read`, for the events of one stream in their order. A long answer is thousands of deltas, and many servers repeat the same JSON
 * around each: of such an event only the delta is looked at, a tenth of the work. All others are read as ever, as are deltas with escapes.
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

/** The text before a string decides whether it is read as the delta, so one that is read so proves it for all. */
const isProof = (event: TextDelta, probed: ModelEvent | undefined): boolean =>
  probed?.kind === event.kind && probed.itemId === event.itemId && probed.delta === PROBE;

const toFrame = (data: string, event: TextDelta): Frame | undefined => {
  const at = data.indexOf(KEY) + KEY.length;
  if (!data.startsWith(event.delta, at)) return undefined;
  return { head: data.slice(0, at), tail: data.slice(at + event.delta.length), event, isProven: false };
};
