/** Owns what happens to a call while its client of 2026-07-28 has a question and no request is waiting. */
import { type Event, isLast } from '../../protocol';
import type { Attended } from './attended';

/** So many calls may be over without anyone having come back for their result. */
const MAX_FORSAKEN = 100;

const isDelta = (event: Event): boolean => event.kind === 'told' && event.msg.type.endsWith('_delta');

/** Keeps an event for the retry; not a delta, since its whole comes in a later event, and would be too much to keep. */
export const hold = (calls: Map<string, Attended>, each: Attended, event: Event): void => {
  if (isDelta(event)) return;
  each.held.push(event);
  if (!isLast(event)) return;
  each.over = true;
  const forsaken = [...calls].filter(([, { over }]) => over);
  for (const [callId] of forsaken.slice(0, -MAX_FORSAKEN)) calls.delete(callId);
};
