/** The errors of a stored thread that cannot be used. */
import { toUuid } from '../protocol/codex/toUuid';
import { afterColon } from '../streams/text/reasons';

/** The message names the thread, the cause and the remedy. */
export class ThreadError extends Error {
  override name = 'ThreadError';
}

/** A thread that is to be restored is not archived. */
export class NotArchivedError extends ThreadError {
  constructor(id: string) {
    super(`The thread ${id} is not archived, so it can be continued as it is; codex-rx threads lists it.`);
  }
}

/** No thread has this id, or an id that begins with it. The message is for a client of the tools. */
export class UnknownThreadError extends ThreadError {
  constructor(
    readonly ref: string,
    /** Sentences that suggest the thread that was probably meant. */
    readonly hints: readonly string[],
  ) {
    super([`Session not found for thread_id: ${toUuid(ref)}.`, ...hints, 'Start one with the tool codex.'].join(' '));
  }
}

/** The text for a person at a terminal: it names the command that lists threads; the message of the error is for a client of the tools. */
export const describeThreadError = (error: Error): string =>
  error instanceof UnknownThreadError
    ? [`No thread has the id ${error.ref}, or an id that begins with it`, ...error.hints.map(afterColon), REMEDY].join(
        '; ',
      )
    : error.message;

const REMEDY = 'codex-rx threads lists them';
