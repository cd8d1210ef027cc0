/** The events of a call that are kept while no request waits for it. */
import type { CodexEvent, Event } from '../../protocol/codex/events';

/**
 * The buffer with this event at its end. Deltas are left out: a later event holds their whole, and they would be too much to
 * keep. What is not an event of the turn is left out too. Returns the same buffer when it keeps nothing.
 */
export const bufferEvent = (buffered: readonly CodexEvent[], event: Event): readonly CodexEvent[] =>
  event.kind === 'event' && !event.msg.type.endsWith('_delta') ? [...buffered, event] : buffered;
