/** Why a call cannot begin, and what becomes of an error that nothing expected. */
import type { Event } from '../../protocol/codex/events';
import type { ThreadRef } from '../../protocol/codex/operations';
import { toUuid } from '../../protocol/codex/toUuid';
import type { Log } from '../../protocol/log';
import { ConfigError } from '../../settings/faults/configError';
import { afterColon, reasonOf, systemRemedy } from '../../streams/text/reasons';

/** A call cannot begin; the message says why, and what to do instead. */
export class CannotBegin extends Error {
  override name = 'CannotBegin';
}

/** The only event of a call that cannot begin. */
export type Rejection = Extract<Event, { kind: 'rejected' }>;

/** The event of an operation that was not begun. */
export const rejection = ({ callId }: { callId: string }, message: string): Rejection => ({
  kind: 'rejected',
  callId,
  message,
});

/** The reason why a call cannot begin, for its caller. Wrong settings and CannotBegin explain themselves; any other error is logged. */
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

/**
 * The error of a call that is to work in an environment where no thread can work.
 * @param remedy a sentence on what to do, if the reason does not say it
 */
export const unusableEnvironment = (id: string, error: unknown, remedy = ''): CannotBegin => {
  const sentences = [`The environment \`${id}\` cannot be used: ${afterColon(reasonOf(error))}.`, remedy];
  return new CannotBegin([...sentences.filter(Boolean), 'Nothing was run on this machine.'].join(' '));
};

/**
 * Logs an error that nothing expected, and returns its text for the caller. An error of this machine, such as too many open files, is reported with
 * its remedy. Any other error is a bug, which is logged with its stack.
 * @param what what failed, such as `a turn failed`
 */
export const reportFault = (
  log: Log,
  { what, callId }: { what: string; callId: string },
  { code, message, stack }: NodeJS.ErrnoException,
): string => {
  const remedy = systemRemedy(code);
  if (remedy === undefined) {
    log('error', `${what} because of a bug`, { callId, stack });
    return `internal error: ${message}`;
  }
  const text = message.includes(remedy) ? message : `${message}; ${remedy}`;
  log('error', what, { callId, reason: text });
  return text;
};
