/** The texts of calls that cannot begin. */

import type { Event } from '../../protocol/codex/events';
import type { ThreadRef } from '../../protocol/codex/operations';
import { toUuid } from '../../protocol/codex/toUuid';
import type { Log } from '../../protocol/log';
import { ConfigError } from '../../settings/faults/configError';
import { reportFault } from './reportFault';

/** A call cannot begin; the message says why, and what to do instead. */
export class CannotBegin extends Error {
  override name = 'CannotBegin';
}

/** The event of a call that cannot begin. */
export type Rejection = Extract<Event, { kind: 'rejected' }>;

/** The output for an operation that was not begun. */
export const rejection = ({ callId }: { callId: string }, message: string): Rejection => ({
  kind: 'rejected',
  callId,
  message,
});

/**
 * The reason why a call cannot begin, for its caller. Wrong settings and CannotBegin explain themselves; any other error
 * is logged.
 */
export const rejectionText = (log: Log, { callId }: { callId: string }, error: Error): string => {
  if (error instanceof ConfigError) return `Failed to load Codex configuration: ${error.message}`;
  if (error instanceof CannotBegin) return error.message;
  return reportFault(log, { what: 'a call could not begin', callId }, error);
};

/** The text for a call whose thread does not exist. */
export const noThreadText = (ref: ThreadRef): string =>
  'id' in ref
    ? `Session not found for thread_id: ${toUuid(ref.id)}. Start one with the tool codex.`
    : 'There is no thread on this connection yet. Start one with the tool codex, or pass a threadId.';
