/** Says to a person at a terminal why a stored thread cannot be used. */
import { UnknownThreadError } from './threadError';

/** Names the command that lists threads, where the message is for a client of the tools. */
export const describeThreadError = (error: Error): string =>
  error instanceof UnknownThreadError
    ? [
        `No thread has the id ${error.ref}, or an id that begins so.`,
        ...error.hints,
        'codex-rx threads lists them.',
      ].join(' ')
    : error.message;
