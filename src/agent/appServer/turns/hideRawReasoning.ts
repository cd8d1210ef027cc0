/** Lets raw reasoning reach a client only if the configuration says so: an app-server sends it to every client. */
import { defer, filter, type MonoTypeOperatorFunction } from 'rxjs';
import type { EventMsg } from '../../../protocol/codex/eventMsg';
import type { Event } from '../../../protocol/codex/events';
import type { ThreadSettings } from '../../../protocol/codex/settings';

const RAW: ReadonlySet<EventMsg['type']> = new Set([
  'agent_reasoning_raw_content',
  'agent_reasoning_raw_content_delta',
]);

/** @param showsRawReasoning whether `show_raw_agent_reasoning` is true for a thread with these settings; never throws */
export type HideDeps = { showsRawReasoning: (settings: ThreadSettings) => boolean };

/**
 * Removes the raw reasoning from the events of a turn, unless its thread shows it. `settings` are those that the thread was
 * started with. Completes and errors with its source.
 *   event$  a-r-b|    (r raw reasoning)
 *   out     a---b|
 * Source: codex app-server 0.142.0 to 0.169.0, which send it whatever `show_raw_agent_reasoning` says.
 */
export const hideRawReasoning =
  ({ showsRawReasoning }: HideDeps, settings: ThreadSettings = {}): MonoTypeOperatorFunction<Event> =>
  (event$) =>
    defer(() =>
      showsRawReasoning(settings)
        ? event$
        : event$.pipe(filter((event) => event.kind !== 'event' || !RAW.has(event.msg.type))),
    );
